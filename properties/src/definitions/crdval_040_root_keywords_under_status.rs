//! CRDVAL-040: keywords at the root with the status subresource.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-040-root-keywords-under-status", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("the status subresource restricts which keywords the root of the schema may have")
        .asserts(&["CRDVAL-040", "CRDVAL-040/e2", "CRDVAL-040/e3"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-040"];
