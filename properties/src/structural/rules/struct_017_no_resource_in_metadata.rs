//! STRUCT-017: no embedded resource inside the meta fields of another.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-017-no-resource-in-metadata",
    title: "an embedded resource is forbidden at or below apiVersion, kind and metadata of another",
    asserts: &["STRUCT-017", "STRUCT-017/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-017";
