//! STRUCT-023: the values of list-type, and the node type that it requires.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-023-list-type", |plan, choices| try_rule(plan, choices, RULE))
        .title("list-type must be atomic, set or map, on a node of type array")
        .asserts(&["STRUCT-023", "STRUCT-023/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-023";
