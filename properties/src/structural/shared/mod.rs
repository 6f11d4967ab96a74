//! Shared by the properties of chapter 2: schemas that violate a rule, branches deep in quantifiers, lists of versions.

mod broken;
mod buried;
mod versions;

pub(crate) use broken::{broken, try_rule};
pub(crate) use buried::{bury, quantified};
pub(crate) use versions::{check_versions, versions_with_pieces};

use crdible_scenario::Capability;

/// What a target must support before its validation of schemas can be tested.
pub(crate) const JUDGING: &[Capability] = &[Capability::StructuralSchemas];
