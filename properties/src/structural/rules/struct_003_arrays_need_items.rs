//! STRUCT-003: arrays have items.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-003-arrays-need-items", |plan, choices| try_rule(plan, choices, RULE))
        .title("an array must have items")
        .asserts(&["STRUCT-003", "STRUCT-003/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-003";
