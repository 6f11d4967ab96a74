//! STRUCT-028: the keys of a map list name scalar properties of its elements, each once.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-028-keys-name-properties", |plan, choices| try_rule(plan, choices, RULE))
        .title("each list-map key must name a declared scalar property of the elements")
        .asserts(&["STRUCT-028", "STRUCT-028/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-028";
