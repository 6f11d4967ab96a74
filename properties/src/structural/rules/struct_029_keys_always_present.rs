//! STRUCT-029: keys of map lists are required or have a default.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{LIST_MAP_KEYS, LIST_TYPE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-029-keys-always-present",
    title: "each list-map key must be required in the elements or have a default",
    asserts: &["STRUCT-029", "STRUCT-029/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-029", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-029"];
    const EDGE: &[&str] = &["STRUCT-029/e1"];
    const MISSING: &[(&str, &str)] = &[(".items.properties[k].default", "Required")];
    let list = |items: Value| json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": items });
    let key = |default: Value| json!({ "k": { "type": "string", "default": default } });
    vec![
        accepted(
            "required",
            RULE,
            list(json!({ "type": "object", "required": ["k"], "properties": { "k": { "type": "string" } } })),
        ),
        accepted("default", RULE, list(json!({ "type": "object", "properties": key(json!("x")) }))),
        accepted("both", EDGE, list(json!({ "type": "object", "required": ["k"], "properties": key(json!("x")) }))),
        accepted("empty-default", EDGE, list(json!({ "type": "object", "properties": key(json!("")) }))),
        refused(
            "neither",
            RULE,
            list(json!({ "type": "object", "properties": { "k": { "type": "string" } } })),
            MISSING,
        ),
        refused(
            "another-required",
            RULE,
            list(
                json!({ "type": "object", "required": ["v"], "properties": { "k": { "type": "string" }, "v": { "type": "string" } } }),
            ),
            MISSING,
        ),
        refused("null-default", EDGE, list(json!({ "type": "object", "properties": key(Value::Null) })), MISSING),
        refused(
            "required-in-a-quantifier",
            EDGE,
            list(
                json!({ "type": "object", "allOf": [{ "required": ["k"] }], "properties": { "k": { "type": "string" } } }),
            ),
            MISSING,
        ),
        refused(
            "default-of-the-list",
            EDGE,
            json!({ "type": "array", "default": [{ "k": "x" }], LIST_TYPE: "map", LIST_MAP_KEYS: ["k"],
                "items": { "type": "object", "properties": { "k": { "type": "string" } } } }),
            MISSING,
        ),
        refused(
            "one-of-two",
            RULE,
            json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k", "l"],
                "items": { "type": "object", "required": ["l"], "properties": { "k": { "type": "string" }, "l": { "type": "string" } } } }),
            MISSING,
        ),
    ]
}
