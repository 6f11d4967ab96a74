//! STRUCT-023: the values of list-type, and the node type that it requires.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-023-list-type",
    title: "list-type must be atomic, set or map, on a node of type array",
    asserts: &["STRUCT-023", "STRUCT-023/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-023", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-023"];
    const EDGE: &[&str] = &["STRUCT-023/e1"];
    const UNKNOWN: (&str, &str) = (".x-kubernetes-list-type", "NotSupported");
    let list = |list_type: &str| json!({ "type": "array", LIST_TYPE: list_type, "items": { "type": "string" } });
    vec![
        accepted("atomic", RULE, list("atomic")),
        accepted("set", RULE, list("set")),
        accepted(
            "absent",
            EDGE,
            json!({ "type": "array", LIST_TYPE: null, "items": { "type": "object", "nullable": true } }),
        ),
        refused("unknown", RULE, list("Set"), &[UNKNOWN]),
        refused("empty", EDGE, list(""), &[UNKNOWN]),
        refused("object", RULE, json!({ "type": "object", LIST_TYPE: "atomic" }), &[(".type", "Invalid")]),
        refused("string", RULE, json!({ "type": "string", LIST_TYPE: "set" }), &[(".type", "Invalid")]),
        refused(
            "value-and-type",
            EDGE,
            json!({ "type": "object", LIST_TYPE: "granular" }),
            &[UNKNOWN, (".type", "Invalid")],
        ),
        refused("preserving", EDGE, json!({ PRESERVE: true, LIST_TYPE: "atomic" }), &[(".type", "Required")]),
        refused("int-or-string", EDGE, json!({ INT_OR_STRING: true, LIST_TYPE: "set" }), &[(".type", "Required")]),
        refused("no-type", EDGE, json!({ LIST_TYPE: "atomic" }), &[(".type", "Required"), (".type", "Required")]),
        refused(
            "set-rule-skipped",
            EDGE,
            json!({ "type": "object", LIST_TYPE: "set", "items": { "type": "object" } }),
            &[(".type", "Invalid")],
        ),
        refused(
            "nullable-elements-not-skipped",
            EDGE,
            json!({ "type": "object", LIST_TYPE: "set", "items": { "type": "object", "nullable": true } }),
            &[(".type", "Invalid"), (".items.nullable", "Forbidden")],
        ),
        refused(
            "map-form-not-skipped",
            EDGE,
            json!({ "type": "object", LIST_TYPE: "map" }),
            &[(".type", "Invalid"), (".items", "Required"), (".x-kubernetes-list-map-keys", "Required")],
        ),
        refused(
            "keys-not-skipped",
            EDGE,
            json!({ "type": "object", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"],
                "items": { "type": "object", "properties": { "k": { "type": "string", "nullable": true } } } }),
            &[
                (".type", "Invalid"),
                (".items.properties[k].default", "Required"),
                (".items.properties[k].nullable", "Forbidden"),
            ],
        ),
    ]
}
