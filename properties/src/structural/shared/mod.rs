//! Shared by the properties of chapter 2: the table of its rules, lists of versions.

mod rules;
mod versions;

pub(crate) use rules::{broken_pieces, pieces_of, rows_alone, try_row, try_rule};
pub(crate) use versions::{check_versions, versions_with_pieces};

use crdible_scenario::Capability;

/// What a target must support before its validation of schemas can be tested.
pub(crate) const JUDGING: &[Capability] = &[Capability::StructuralSchemas];
