//! STRUCT-027: the form of map lists.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-027-map-list-form", |plan, choices| try_rule(plan, choices, RULE))
        .title("a map list must have keys, and a single items schema of type object")
        .asserts(&["STRUCT-027", "STRUCT-027/e1", "CRDVAL-030"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-027";
