//! STRUCT-031: the elements of sets and map lists are not nullable.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-031-items-not-nullable", |plan, choices| try_rule(plan, choices, RULE))
        .title("elements of sets and map lists must not be nullable")
        .asserts(&["STRUCT-031"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-031";
