//! STRUCT-027: the form of map lists.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-027-map-list-form",
    title: "a map list must have keys, and a single items schema of type object",
    asserts: &["STRUCT-027", "STRUCT-027/e1", "CRDVAL-030"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-027";
