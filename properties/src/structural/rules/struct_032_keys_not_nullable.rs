//! STRUCT-032: the keys of map lists are not nullable.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-032-keys-not-nullable", |plan, choices| try_rule(plan, choices, RULE))
        .title("a nullable list-map key is forbidden at its own path")
        .asserts(&["STRUCT-032"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-032";
