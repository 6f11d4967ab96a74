//! STRUCT-029: keys of map lists are required or have a default.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-029-keys-always-present",
    title: "each list-map key must be required in the elements or have a default",
    asserts: &["STRUCT-029", "STRUCT-029/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-029";
