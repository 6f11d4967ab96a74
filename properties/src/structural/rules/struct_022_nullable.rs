//! STRUCT-022: which nodes may be nullable.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-022-nullable",
    title: "of structural nodes, only root, root metadata, set and map list elements and keys cannot be nullable",
    asserts: &["STRUCT-022", "STRUCT-022/e1", "CRDVAL-027"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-022", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-022"];
    const EDGE: &[&str] = &["STRUCT-022/e1"];
    const AT_ROOT: &[&str] = &["STRUCT-022/e1", "CRDVAL-027"];
    let string = || json!({ "type": "string", "nullable": true });
    let root = |properties: Value| json!({ "type": "object", "properties": properties });
    let mut pieces: Vec<Piece> = ["string", "integer", "number", "boolean", "object"]
        .into_iter()
        .map(|name| accepted("of-a-type", RULE, json!({ "type": name, "nullable": true })))
        .collect();
    pieces.extend([
        accepted("list-and-elements", RULE, json!({ "type": "array", "nullable": true, "items": string() })),
        accepted("map-and-values", RULE, json!({ "type": "object", "nullable": true, "additionalProperties": string() })),
        accepted("atomic-list-elements", RULE, json!({ "type": "array", LIST_TYPE: "atomic", "items": string() })),
        accepted("with-enum", RULE, json!({ "type": "string", "enum": ["a"], "nullable": true })),
        accepted("root-kind", EDGE, root(json!({ "apiVersion": string(), "kind": string() }))).at_root(),
        accepted("embedded", EDGE, json!({ "type": "object", EMBEDDED: true, PRESERVE: true, "nullable": true })),
        accepted("set", EDGE, json!({ "type": "array", LIST_TYPE: "set", "nullable": true, "items": { "type": "string" } })),
        accepted(
            "map-list",
            EDGE,
            json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "nullable": true,
                "items": { "type": "object", "required": ["k"], "properties": { "k": { "type": "string" }, "v": string() } } }),
        ),
        accepted("untyped-preserving", EDGE, json!({ PRESERVE: true, "nullable": true })),
        accepted("untyped-int-or-string", EDGE, json!({ INT_OR_STRING: true, "nullable": true })),
        refused("untyped", EDGE, json!({ "nullable": true }), &[(".type", "Required")]),
        refused("root", AT_ROOT, json!({ "type": "object", "nullable": true }), &[(".nullable", "Forbidden")]).at_root(),
        refused("root-metadata", RULE, root(json!({ "metadata": { "type": "object", "nullable": true } })), &[(".properties[metadata]", "Forbidden")]).at_root(),
        refused("quantifier", RULE, json!({ "type": "string", "anyOf": [{ "nullable": true }] }), &[(".anyOf[0].nullable", "Forbidden")]),
        refused("set-elements", RULE, json!({ "type": "array", LIST_TYPE: "set", "items": string() }), &[(".items.nullable", "Forbidden")]),
        refused(
            "list-map-key",
            RULE,
            json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"],
                "items": { "type": "object", "required": ["k"], "properties": { "k": string() } } }),
            &[(".items.properties[k].nullable", "Forbidden")],
        ),
    ]);
    pieces
}
