//! CRDVAL-043: selectable fields.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-043-selectable-fields",
    title: "selectable fields lead to declared scalars outside metadata, at most eight, none twice",
    asserts: &["CRDVAL-043", "CRDVAL-043/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-043"];
