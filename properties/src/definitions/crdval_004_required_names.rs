//! CRDVAL-004: required names.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-004-required-names", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("a definition must have a plural and a kind")
        .asserts(&["CRDVAL-004", "CRDVAL-004/e1", "CRDVAL-001/e2"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-004"];
