//! STRUCT-025: list-map-keys require list-type `map`.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-025-keys-imply-map", |plan, choices| try_rule(plan, choices, RULE))
        .title("list-map-keys without list-type map are rejected at the list-type")
        .asserts(&["STRUCT-025", "STRUCT-025/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-025";
