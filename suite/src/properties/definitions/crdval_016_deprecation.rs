//! CRDVAL-016: deprecation warnings.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-016-deprecation",
    title: "a deprecation warning belongs to a deprecated version, is short and printable",
    asserts: &["CRDVAL-016", "CRDVAL-016/e1", "CRDVAL-016/e2"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-016"];
