//! STRUCT-027: the form of map lists.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-027-map-list-form",
    title: "a map list must have keys, and a single items schema of type object",
    asserts: &["STRUCT-027", "STRUCT-027/e1", "CRDVAL-030"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-027", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-027"];
    const EDGE: &[&str] = &["STRUCT-027/e1"];
    const BY_POSITION: &[&str] = &["STRUCT-027", "STRUCT-027/e1", "CRDVAL-030"];
    const KEYS: (&str, &str) = (".x-kubernetes-list-map-keys", "Required");
    const ITEMS: (&str, &str) = (".items", "Required");
    const TYPE: (&str, &str) = (".items.type", "Invalid");
    let list = |items: Value| json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": items });
    let with = |keyword: &str, value: Value| json!({ keyword: value, "required": ["k"], "properties": { "k": { "type": "string" } } });
    let object = || with("type", json!("object"));
    vec![
        accepted("form", RULE, list(object())),
        refused("no-keys", RULE, json!({ "type": "array", LIST_TYPE: "map", "items": object() }), &[KEYS]),
        refused(
            "empty-keys",
            RULE,
            json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: [], "items": object() }),
            &[KEYS],
        ),
        refused("strings", RULE, list(json!({ "type": "string" })), &[TYPE]),
        refused("typed-strings-with-keys", RULE, list(with("type", json!("string"))), &[TYPE]),
        refused("no-items", EDGE, list(Value::Null), &[ITEMS, ITEMS]),
        refused("nothing", EDGE, json!({ "type": "array", LIST_TYPE: "map" }), &[ITEMS, ITEMS, KEYS]),
        refused(
            "items-by-position",
            BY_POSITION,
            list(json!([object()])),
            &[(".items", "Invalid"), (".items", "Forbidden")],
        )
        .hiding(),
        refused("untyped", EDGE, list(with("description", json!("x"))), &[TYPE, (".items.type", "Required")]),
        refused("untyped-preserving", EDGE, list(with(PRESERVE, json!(true))), &[TYPE]),
        refused("untyped-int-or-string", EDGE, list(with(INT_OR_STRING, json!(true))), &[TYPE]),
    ]
}
