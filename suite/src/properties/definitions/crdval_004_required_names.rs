//! CRDVAL-004: names that must be there.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-004-required-names",
    title: "plural and kind must be there, and with kind singular and listKind are missing",
    asserts: &["CRDVAL-004", "CRDVAL-004/e1", "CRDVAL-001/e2"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-004"];
