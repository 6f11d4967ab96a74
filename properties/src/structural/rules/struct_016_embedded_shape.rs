//! STRUCT-016: an embedded resource is an object with some content.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-016-embedded-shape", |plan, choices| try_rule(plan, choices, RULE))
        .title("an embedded resource must have type object, and preserve unknown fields or declare a property")
        .asserts(&["STRUCT-016", "STRUCT-016/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-016";
