//! STRUCT-003: arrays have items.

use serde_json::json;

use super::shared::{Example, INT_OR_STRING, JUDGING, PRESERVE, accepted, alone, anywhere, refused};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "struct-003-arrays-need-items",
    title: "an array without items is refused; items beside another type are a node like any other",
    asserts: &["STRUCT-003", "STRUCT-003/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&examples()) }],
    plan: |choices| anywhere(choices, "STRUCT-003", &examples()),
};

const ITEMS: &[&str] = &["STRUCT-003"];
const EDGE: &[&str] = &["STRUCT-003/e1"];

pub(super) fn examples() -> Vec<Example> {
    vec![
        refused("no-items", ITEMS, json!({ "type": "array" }), &[(".items", "Required")]),
        refused(
            "no-items-twice",
            ITEMS,
            json!({ "type": "array", "items": { "type": "array" } }),
            &[(".items.items", "Required")],
        ),
        refused("preserving", EDGE, json!({ "type": "array", PRESERVE: true }), &[(".items", "Required")]),
        refused("int-or-string", EDGE, json!({ "type": "array", INT_OR_STRING: true }), &[(".items", "Required")]),
        refused("empty-list", EDGE, json!({ "type": "array", "items": [] }), &[(".items", "Required")]),
        refused("null", EDGE, json!({ "type": "array", "items": null }), &[(".items", "Required")]),
        accepted("items-of-an-object", EDGE, json!({ "type": "object", "items": { "type": "string" } })),
        accepted("items-of-a-string", EDGE, json!({ "type": "string", "items": { "type": "string" } })),
        accepted("items-of-the-root", EDGE, json!({ "type": "object", "items": { "type": "string" } })).at_root(),
        refused(
            "untyped-items-of-an-object",
            EDGE,
            json!({ "type": "object", "items": {} }),
            &[(".items.type", "Required")],
        ),
        refused(
            "untyped-items-of-a-string",
            EDGE,
            json!({ "type": "string", "items": {} }),
            &[(".items.type", "Required")],
        ),
        refused(
            "untyped-items-of-the-root",
            EDGE,
            json!({ "type": "object", "items": {} }),
            &[(".items.type", "Required")],
        )
        .at_root(),
    ]
}
