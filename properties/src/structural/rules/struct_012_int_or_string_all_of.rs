//! STRUCT-012: the same pair under `allOf[0].anyOf`.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-012-int-or-string-all-of", |plan, choices| try_rule(plan, choices, RULE))
        .title("int-or-string may list its two types under anyOf of the first allOf member, and of no other")
        .asserts(&["STRUCT-012", "STRUCT-012/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-012";
