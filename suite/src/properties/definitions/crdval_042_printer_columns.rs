//! CRDVAL-042: printer columns.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-042-printer-columns",
    title: "a printer column has a name, a type, a path with a leading dot, and a known format if any",
    asserts: &["CRDVAL-042", "CRDVAL-042/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-042"];
