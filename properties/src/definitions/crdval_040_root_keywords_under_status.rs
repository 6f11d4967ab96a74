//! CRDVAL-040: keywords at the root with the status subresource.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property {
    id: "crdval-040-root-keywords-under-status",
    title: "the status subresource restricts which keywords the root of the schema may have",
    asserts: &["CRDVAL-040", "CRDVAL-040/e2", "CRDVAL-040/e3"],
    needs: JUDGING,
    edges: &[Edge { name: "variations", plan: || variations_alone(VARIED) }],
    plan: |choices| variations_anywhere(choices, VARIED),
};

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-040"];
