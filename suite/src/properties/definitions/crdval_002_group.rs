//! CRDVAL-002: the group.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-002-group",
    title: "a group is a subdomain with a dot",
    asserts: &["CRDVAL-002", "CRDVAL-002/e1", "CRDVAL-001/e2"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-002"];
