//! CRDVAL-040: the root under the status subresource.

use super::shared::{JUDGING, alone, anywhere};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-040-root-keywords-under-status",
    title: "with the status subresource the root has none but the listed keywords",
    asserts: &["CRDVAL-040", "CRDVAL-040/e2", "CRDVAL-040/e3"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || alone(VARIED) }],
    plan: |choices| anywhere(choices, VARIED),
};

/// The requirements whose variations are tried.
const VARIED: &[&str] = &["CRDVAL-040"];
