//! STRUCT-013: extensions that cannot be combined with int-or-string.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-013-int-or-string-combinations",
    title: "int-or-string excludes preserve-unknown-fields and embedded-resource",
    asserts: &["STRUCT-013", "STRUCT-013/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-013";
