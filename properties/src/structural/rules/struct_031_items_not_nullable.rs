//! STRUCT-031: the elements of sets and map lists are not nullable.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-031-items-not-nullable",
    title: "nullable elements are forbidden in sets and map lists, and allowed in all other lists",
    asserts: &["STRUCT-031"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-031";
