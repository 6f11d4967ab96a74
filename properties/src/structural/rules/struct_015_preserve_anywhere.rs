//! STRUCT-015: any node may have preserve-unknown-fields.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-015-preserve-anywhere", |plan, choices| try_rule(plan, choices, RULE))
        .title("preserve-unknown-fields is accepted on every structural node, with any type or none")
        .asserts(&["STRUCT-015"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-015";
