//! STRUCT-019: root `metadata` may restrict names, and nothing else.

use super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("struct-019-root-metadata", |plan, choices| try_rule(plan, choices, RULE))
        .title("root metadata may declare only name and generateName")
        .asserts(&["STRUCT-019", "STRUCT-019/e2", "STRUCT-019/e3", "CRDVAL-051"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-019";
