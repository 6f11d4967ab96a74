//! STRUCT-031: the elements of sets and map lists are not nullable.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-031-items-not-nullable",
    title: "elements of sets and map lists must not be nullable",
    asserts: &["STRUCT-031"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-031";
