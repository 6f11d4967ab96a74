//! CRDVAL-044: the conversion strategy.

use super::shared::{JUDGING, variations_alone, variations_anywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("crdval-044-strategy", |plan, choices| variations_anywhere(plan, choices, VARIED))
        .title("the conversion strategy must be None or Webhook")
        .asserts(&["CRDVAL-044", "CRDVAL-044/e1", "CRDVAL-008/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "variations", plan: |plan| variations_alone(plan, VARIED) }]);

/// The requirements whose variations this property tries.
const VARIED: &[&str] = &["CRDVAL-044"];
