//! STRUCT-028: the keys of a map list name scalar properties of its elements, each once.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-028-keys-name-properties",
    title: "each list-map key must name a declared scalar property of the elements",
    asserts: &["STRUCT-028", "STRUCT-028/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-028", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-028"];
    const EDGE: &[&str] = &["STRUCT-028/e1"];
    const KEYS: (&str, &str) = (".x-kubernetes-list-map-keys", "Invalid");
    let list =
        |keys: Value, items: Value| json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: keys, "items": items });
    let string = || json!({ "type": "string" });
    let of = |properties: Value| {
        let required: Vec<String> =
            properties.as_object().map(|properties| properties.keys().cloned().collect()).unwrap_or_default();
        json!({ "type": "object", "required": required, "properties": properties })
    };
    let mut pieces: Vec<Piece> =
        [string(), json!({ "type": "integer" }), json!({ "type": "number" }), json!({ "type": "boolean" })]
            .into_iter()
            .chain([json!({ INT_OR_STRING: true }), json!({ PRESERVE: true })])
            .map(|key| accepted("scalar-key", EDGE, list(json!(["k"]), of(json!({ "k": key })))))
            .collect();
    pieces.extend([
        accepted("two-keys", RULE, list(json!(["b", "a"]), of(json!({ "a": string(), "b": string(), "c": string() })))),
        refused("undeclared", RULE, list(json!(["x"]), of(json!({ "a": string() }))), &[KEYS]),
        refused("two-undeclared", RULE, list(json!(["x", "a", "y"]), of(json!({ "a": string() }))), &[KEYS, KEYS]),
        refused("repeated", RULE, list(json!(["a", "a"]), of(json!({ "a": string() }))), &[KEYS]),
        refused(
            "repeated-twice",
            RULE,
            list(json!(["a", "b", "a", "a"]), of(json!({ "a": string(), "b": string() }))),
            &[KEYS, KEYS],
        ),
        refused(
            "undeclared-and-repeated",
            RULE,
            list(json!(["x", "x"]), of(json!({ "a": string() }))),
            &[KEYS, KEYS, KEYS],
        ),
        refused(
            "object-and-list",
            RULE,
            list(
                json!(["a", "b"]),
                of(json!({ "a": { "type": "object" }, "b": { "type": "array", "items": string() } })),
            ),
            &[(".items.properties[a].type", "Invalid"), (".items.properties[b].type", "Invalid")],
        ),
        refused(
            "path",
            EDGE,
            list(json!(["a.b"]), of(json!({ "a": { "type": "object", "properties": { "b": string() } } }))),
            &[KEYS],
        ),
        refused(
            "covered-by-map",
            EDGE,
            list(json!(["k"]), json!({ "type": "object", "required": ["k"], "additionalProperties": string() })),
            &[KEYS],
        ),
        refused(
            "covered-by-preserving",
            EDGE,
            list(json!(["k"]), json!({ "type": "object", "required": ["k"], PRESERVE: true })),
            &[KEYS],
        ),
    ]);
    pieces
}
