//! STRUCT-031: the elements of sets and map lists are not nullable.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-031-items-not-nullable",
    title: "elements of sets and map lists must not be nullable",
    asserts: &["STRUCT-031"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-031", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-031"];
    const FORBIDDEN: &[(&str, &str)] = &[(".items.nullable", "Forbidden")];
    vec![
        refused(
            "set",
            RULE,
            json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "string", "nullable": true } }),
            FORBIDDEN,
        ),
        refused(
            "set-of-int-or-string",
            RULE,
            json!({ "type": "array", LIST_TYPE: "set", "items": { INT_OR_STRING: true, "nullable": true } }),
            FORBIDDEN,
        ),
        refused(
            "set-of-objects",
            RULE,
            json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "object", MAP_TYPE: "atomic", "nullable": true } }),
            FORBIDDEN,
        ),
        refused(
            "map",
            RULE,
            json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"],
                "items": { "type": "object", "nullable": true, "required": ["k"], "properties": { "k": { "type": "string" } } } }),
            FORBIDDEN,
        ),
        accepted(
            "atomic",
            RULE,
            json!({ "type": "array", LIST_TYPE: "atomic", "items": { "type": "string", "nullable": true } }),
        ),
        accepted("no-list-type", RULE, json!({ "type": "array", "items": { "type": "object", "nullable": true } })),
        accepted(
            "not-nullable",
            RULE,
            json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "string", "nullable": false } }),
        ),
    ]
}
