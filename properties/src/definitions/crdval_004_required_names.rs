//! CRDVAL-004: required names.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property {
    id: "crdval-004-required-names",
    title: "a definition must have a plural and a kind",
    asserts: &["CRDVAL-004", "CRDVAL-004/e1", "CRDVAL-001/e2"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || variations_alone(VARIED) }],
    plan: |choices| variations_anywhere(choices, VARIED),
};

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-004"];
