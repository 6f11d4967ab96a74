//! STRUCT-020: the metadata of an embedded resource may declare anything.

use super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property {
    id: "struct-020-embedded-metadata",
    title: "the metadata of an embedded resource may declare any properties, validation and defaults",
    asserts: &["STRUCT-020"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-020";
