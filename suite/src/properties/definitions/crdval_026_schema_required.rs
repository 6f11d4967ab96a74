//! CRDVAL-026, CRDVAL-028: schemas that must be there, and the switch that once stood for them.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-026-schema-required",
    title: "every version has a schema, and preserveUnknownFields is no substitute",
    asserts: &["CRDVAL-026", "CRDVAL-026/e1", "CRDVAL-028", "CRDVAL-028/e1", "CRDVAL-045", "CRDVAL-050"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-026", "CRDVAL-028"];
