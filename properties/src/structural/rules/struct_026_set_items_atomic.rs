//! STRUCT-026: the elements of a set are atomic.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-026-set-items-atomic",
    title: "elements of a set must be scalars, atomic lists, or objects with map-type atomic",
    asserts: &["STRUCT-026", "STRUCT-026/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-026";
