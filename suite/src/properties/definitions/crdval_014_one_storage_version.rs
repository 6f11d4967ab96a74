//! CRDVAL-014, CRDVAL-015: which version is stored, and which are served.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-014-one-storage-version",
    title: "exactly one version is stored, and any are served",
    asserts: &["CRDVAL-014", "CRDVAL-014/e1", "CRDVAL-015", "CRDVAL-015/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-014", "CRDVAL-015"];
