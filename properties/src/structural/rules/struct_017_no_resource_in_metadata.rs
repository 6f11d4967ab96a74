//! STRUCT-017: no embedded resource inside the meta fields of another.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-017-no-resource-in-metadata", |plan, choices| try_rule(plan, choices, RULE))
        .title("an embedded resource is forbidden at or below apiVersion, kind and metadata of another")
        .asserts(&["STRUCT-017", "STRUCT-017/e1"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-017";
