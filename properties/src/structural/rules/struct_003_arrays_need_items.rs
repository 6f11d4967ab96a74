//! STRUCT-003: arrays have items.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-003-arrays-need-items",
    title: "an array must have items",
    asserts: &["STRUCT-003", "STRUCT-003/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-003", &pieces()),
};

const ITEMS: &[&str] = &["STRUCT-003"];
const EDGE: &[&str] = &["STRUCT-003/e1"];

pub(super) fn pieces() -> Vec<Piece> {
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
