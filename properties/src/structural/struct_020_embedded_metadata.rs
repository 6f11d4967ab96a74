//! STRUCT-020: the metadata of an embedded resource may declare anything.

use super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(super) const PROPERTY: Property =
    Property::new("struct-020-embedded-metadata", |plan, choices| try_rule(plan, choices, RULE))
        .title("the metadata of an embedded resource may declare any properties, validation and defaults")
        .asserts(&["STRUCT-020"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| rows_alone(plan, RULE) }]);

const RULE: &str = "STRUCT-020";
