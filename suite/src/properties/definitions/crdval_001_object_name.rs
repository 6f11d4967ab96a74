//! CRDVAL-001: the name of a definition.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-001-object-name",
    title: "a definition is called plural dot group, and a generated name is measured alike",
    asserts: &["CRDVAL-001", "CRDVAL-001/e1", "CRDVAL-001/e2"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-001"];
