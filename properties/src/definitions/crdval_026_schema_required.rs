//! CRDVAL-026, CRDVAL-028: every version needs a schema; preserveUnknownFields no longer replaces it.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-026-schema-required", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("every version must have a schema, even if preserveUnknownFields is set")
        .asserts(&["CRDVAL-026", "CRDVAL-026/e1", "CRDVAL-028", "CRDVAL-028/e1", "CRDVAL-045", "CRDVAL-050"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-026", "CRDVAL-028"];
