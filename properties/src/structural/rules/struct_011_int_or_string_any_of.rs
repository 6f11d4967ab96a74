//! STRUCT-011: only `anyOf: [{type: integer}, {type: string}]` may have types.

use super::super::shared::{JUDGING, rows_alone, try_rule};
use crate::prelude::*;

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-011-int-or-string-any-of",
    title: "int-or-string may list its two types under anyOf in exactly one form",
    asserts: &["STRUCT-011", "STRUCT-011/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || rows_alone(RULE) }],
    plan: |choices| try_rule(choices, RULE),
};

const RULE: &str = "STRUCT-011";
