//! STRUCT-001: the root has type object.

use super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("struct-001-root-type", |plan, choices| try_rule(plan, choices, RULE))
        .title("a root without a type, or with a type other than object, is rejected at its type")
        .asserts(&["STRUCT-001", "STRUCT-001/e3", "CRDVAL-027"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-001";
