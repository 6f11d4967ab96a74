//! STRUCT-011: only `anyOf: [{type: integer}, {type: string}]` may have types.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-011-int-or-string-any-of", |plan, choices| try_rule(plan, choices, RULE))
        .title("int-or-string may list its two types under anyOf in exactly one form")
        .asserts(&["STRUCT-011", "STRUCT-011/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-011";
