//! CRDVAL-043: selectable fields.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-043-selectable-fields", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("a selectable field must be a declared string, boolean or integer outside metadata")
        .asserts(&["CRDVAL-043", "CRDVAL-043/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-043"];
