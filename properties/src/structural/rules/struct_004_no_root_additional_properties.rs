//! STRUCT-004: no `additionalProperties` at the root or at embedded resources.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-004-no-root-additional-properties", |plan, choices| try_rule(plan, choices, RULE))
        .title("additionalProperties in any form is forbidden at the root and at embedded resources")
        .asserts(&["STRUCT-004", "STRUCT-004/e1", "CRDVAL-027", "CRDVAL-033"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-004";
