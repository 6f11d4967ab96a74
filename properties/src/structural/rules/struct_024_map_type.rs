//! STRUCT-024: the values of map-type, and the node type that it requires.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-024-map-type", |plan, choices| try_rule(plan, choices, RULE))
        .title("map-type must be granular or atomic, on a node of type object")
        .asserts(&["STRUCT-024", "STRUCT-024/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-024";
