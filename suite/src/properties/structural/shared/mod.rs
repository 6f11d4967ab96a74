//! What the properties of chapter 2 share: pieces of schema with what a server must say of them, and the places where they
//! are put.

mod broken;
mod buried;
mod example;
mod host;
mod pieces;
mod runtime;
mod versions;

pub(crate) use broken::broken;
pub(crate) use buried::{bury, quantified};
pub(crate) use example::{Example, accepted, alone, anywhere, examples_anywhere, refused};
pub(crate) use host::{host, place, place_all, root_with, shape};
pub(crate) use pieces::{TOPOLOGY, broken_pieces, causes_of};
pub(crate) use runtime::{object_of, of_json, try_update, try_update_versions};
pub(crate) use versions::{demand_causes, versions_with_pieces};

use crate::properties::Capability;

/// What a target needs before its judgement of schemas says anything.
pub(crate) const JUDGING: &[Capability] = &[Capability::DefinitionDryRun, Capability::StructuralSchemas];

/// The field that a schema's root has in causes.
pub(crate) const ROOT: &str = "openAPIV3Schema";

/// How many pieces of schema one scenario tries at the most.
pub(crate) const PIECES: usize = 6;

/// `x-kubernetes-preserve-unknown-fields`.
pub(crate) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
/// `x-kubernetes-embedded-resource`.
pub(crate) const EMBEDDED: &str = "x-kubernetes-embedded-resource";
/// `x-kubernetes-int-or-string`.
pub(crate) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
/// `x-kubernetes-list-type`.
pub(crate) const LIST_TYPE: &str = "x-kubernetes-list-type";
/// `x-kubernetes-list-map-keys`.
pub(crate) const LIST_MAP_KEYS: &str = "x-kubernetes-list-map-keys";
/// `x-kubernetes-map-type`.
pub(crate) const MAP_TYPE: &str = "x-kubernetes-map-type";
