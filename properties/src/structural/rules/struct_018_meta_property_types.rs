//! STRUCT-018: the types of declared `apiVersion`, `kind` and `metadata`.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-018-meta-property-types", |plan, choices| try_rule(plan, choices, RULE))
        .title("declared apiVersion and kind of a resource must be strings, and declared metadata an object")
        .asserts(&["STRUCT-018", "STRUCT-018/e1", "STRUCT-018/e2"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-018";
