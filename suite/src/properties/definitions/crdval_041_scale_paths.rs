//! CRDVAL-041: the paths of scale.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-041-scale-paths",
    title: "the paths of scale lie in spec and status",
    asserts: &["CRDVAL-041", "CRDVAL-041/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-041"];
