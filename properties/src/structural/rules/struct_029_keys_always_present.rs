//! STRUCT-029: keys of map lists are required or have a default.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-029-keys-always-present", |plan, choices| try_rule(plan, choices, RULE))
        .title("each list-map key must be required in the elements or have a default")
        .asserts(&["STRUCT-029", "STRUCT-029/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-029";
