//! STRUCT-002: every node below the root has a type, or an extension that replaces it.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property =
    Property::new("struct-002-node-types", |plan, choices| try_rule(plan, choices, RULE))
        .title("a structural node below the root must have a type, unless an extension replaces it")
        .asserts(&["STRUCT-002", "STRUCT-002/e1", "CRDVAL-024"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-002";
