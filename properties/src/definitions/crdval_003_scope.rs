//! CRDVAL-003: the scope.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property {
    id: "crdval-003-scope",
    title: "the scope must be Cluster or Namespaced, and has no default",
    asserts: &["CRDVAL-003", "CRDVAL-003/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || variations_alone(VARIED) }],
    plan: |choices| variations_anywhere(choices, VARIED),
};

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-003"];
