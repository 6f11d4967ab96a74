//! CRDVAL-005, CRDVAL-006: the form of names.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-005-name-syntax",
    title: "names are labels, kinds are labels in lower case, and the two kinds differ",
    asserts: &["CRDVAL-005", "CRDVAL-005/e1", "CRDVAL-005/e2", "CRDVAL-001/e2", "CRDVAL-006", "CRDVAL-006/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-005", "CRDVAL-006"];
