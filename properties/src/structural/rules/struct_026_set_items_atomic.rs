//! STRUCT-026: the elements of a set are atomic.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-026-set-items-atomic", |plan, choices| try_rule(plan, choices, RULE))
        .title("elements of a set must be scalars, atomic lists, or objects with map-type atomic")
        .asserts(&["STRUCT-026", "STRUCT-026/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-026";
