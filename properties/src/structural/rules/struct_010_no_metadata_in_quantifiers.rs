//! STRUCT-010: quantifiers must not mention a property named `metadata`.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-010-no-metadata-in-quantifiers", |plan, choices| try_rule(plan, choices, RULE))
        .title("a property named metadata is forbidden at any depth of any quantifier")
        .asserts(&["STRUCT-010", "STRUCT-010/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-010";
