//! STRUCT-013: extensions that cannot be combined with int-or-string.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-013-int-or-string-combinations", |plan, choices| try_rule(plan, choices, RULE))
        .title("int-or-string excludes preserve-unknown-fields and embedded-resource")
        .asserts(&["STRUCT-013", "STRUCT-013/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-013";
