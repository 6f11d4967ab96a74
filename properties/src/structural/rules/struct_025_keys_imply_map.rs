//! STRUCT-025: list-map-keys require list-type `map`.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{LIST_MAP_KEYS, LIST_TYPE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-025-keys-imply-map",
    title: "list-map-keys without list-type map are rejected at the list-type",
    asserts: &["STRUCT-025", "STRUCT-025/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-025", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-025"];
    const EDGE: &[&str] = &["STRUCT-025/e1"];
    const REQUIRED: (&str, &str) = (".x-kubernetes-list-type", "Required");
    const INVALID: (&str, &str) = (".x-kubernetes-list-type", "Invalid");
    let items = || json!({ "type": "object", "required": ["k"], "properties": { "k": { "type": "string" } } });
    let strings = || json!({ "type": "string" });
    vec![
        accepted("map", RULE, json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": items() })),
        accepted("empty", EDGE, json!({ "type": "array", LIST_MAP_KEYS: [], "items": items() })),
        accepted(
            "empty-in-a-set",
            EDGE,
            json!({ "type": "array", LIST_TYPE: "set", LIST_MAP_KEYS: [], "items": strings() }),
        ),
        refused("no-list-type", RULE, json!({ "type": "array", LIST_MAP_KEYS: ["k"], "items": items() }), &[REQUIRED]),
        refused("no-list", RULE, json!({ "type": "object", LIST_MAP_KEYS: ["k"] }), &[REQUIRED]),
        refused(
            "atomic",
            RULE,
            json!({ "type": "array", LIST_TYPE: "atomic", LIST_MAP_KEYS: ["k"], "items": items() }),
            &[INVALID],
        ),
        refused(
            "set",
            RULE,
            json!({ "type": "array", LIST_TYPE: "set", LIST_MAP_KEYS: ["k"], "items": strings() }),
            &[INVALID],
        ),
        refused(
            "unexamined",
            EDGE,
            json!({ "type": "array", LIST_TYPE: "set", LIST_MAP_KEYS: ["x", "x"], "items": strings() }),
            &[INVALID],
        ),
        refused(
            "unexamined-without-list-type",
            EDGE,
            json!({ "type": "array", LIST_MAP_KEYS: ["x", "x"], "items": strings() }),
            &[REQUIRED],
        ),
        refused(
            "unknown-list-type",
            EDGE,
            json!({ "type": "array", LIST_TYPE: "Map", LIST_MAP_KEYS: ["k"], "items": items() }),
            &[INVALID, (".x-kubernetes-list-type", "NotSupported")],
        ),
    ]
}
