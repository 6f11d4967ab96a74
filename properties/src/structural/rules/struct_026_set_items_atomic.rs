//! STRUCT-026: the elements of a set are atomic.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, LIST_TYPE, MAP_TYPE, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-026-set-items-atomic",
    title: "elements of a set must be scalars, atomic lists, or objects with map-type atomic",
    asserts: &["STRUCT-026", "STRUCT-026/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-026", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-026"];
    const EDGE: &[&str] = &["STRUCT-026/e1"];
    const LIST: &[(&str, &str)] = &[(".items.x-kubernetes-list-type", "Invalid")];
    const MAP: &[(&str, &str)] = &[(".items.x-kubernetes-map-type", "Invalid")];
    let set = |items: Value| json!({ "type": "array", LIST_TYPE: "set", "items": items });
    let string = || json!({ "type": "string" });
    let keyed = || json!({ "type": "object", "required": ["k"], "properties": { "k": string() } });
    let mut pieces: Vec<Piece> = ["string", "integer", "number", "boolean"]
        .into_iter()
        .map(|name| accepted("scalar", RULE, set(json!({ "type": name }))))
        .collect();
    pieces.extend([
        accepted("list", RULE, set(json!({ "type": "array", "items": string() }))),
        accepted("atomic-list", RULE, set(json!({ "type": "array", LIST_TYPE: "atomic", "items": string() }))),
        accepted(
            "atomic-object",
            RULE,
            set(json!({ "type": "object", MAP_TYPE: "atomic", "properties": { "a": string() } })),
        ),
        accepted("int-or-string", RULE, set(json!({ INT_OR_STRING: true }))),
        accepted("untyped-preserving", RULE, set(json!({ PRESERVE: true }))),
        refused("set-in-set", RULE, set(json!({ "type": "array", LIST_TYPE: "set", "items": string() })), LIST),
        refused(
            "map-in-set",
            RULE,
            set(json!({ "type": "array", LIST_TYPE: "map", "x-kubernetes-list-map-keys": ["k"], "items": keyed() })),
            LIST,
        ),
        refused("object", RULE, set(json!({ "type": "object", "properties": { "a": string() } })), MAP),
        refused("granular-object", RULE, set(json!({ "type": "object", MAP_TYPE: "granular" })), MAP),
        refused("map", RULE, set(json!({ "type": "object", "additionalProperties": string() })), MAP),
        refused("preserving-object", EDGE, set(json!({ "type": "object", PRESERVE: true })), MAP),
    ]);
    pieces
}
