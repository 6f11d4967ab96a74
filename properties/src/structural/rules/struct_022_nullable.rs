//! STRUCT-022: which nodes may be nullable.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-022-nullable", |plan, choices| try_rule(plan, choices, RULE))
        .title("of structural nodes, only root, root metadata, set and map list elements and keys cannot be nullable")
        .asserts(&["STRUCT-022", "STRUCT-022/e1", "CRDVAL-027"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-022";
