//! STRUCT-024: the values of map-type, and the node type that it requires.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{MAP_TYPE, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-024-map-type",
    title: "map-type must be granular or atomic, on a node of type object",
    asserts: &["STRUCT-024", "STRUCT-024/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-024", &pieces()),
};

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-024"];
    const EDGE: &[&str] = &["STRUCT-024/e1"];
    const UNKNOWN: (&str, &str) = (".x-kubernetes-map-type", "NotSupported");
    vec![
        accepted(
            "granular",
            RULE,
            json!({ "type": "object", MAP_TYPE: "granular", "properties": { "a": { "type": "string" } } }),
        ),
        accepted(
            "atomic",
            RULE,
            json!({ "type": "object", MAP_TYPE: "atomic", "properties": { "a": { "type": "string" } } }),
        ),
        accepted(
            "map",
            EDGE,
            json!({ "type": "object", MAP_TYPE: "atomic", "additionalProperties": { "type": "string" } }),
        ),
        accepted("nothing-else", EDGE, json!({ "type": "object", MAP_TYPE: "granular" })),
        accepted("root", EDGE, json!({ "type": "object", MAP_TYPE: "atomic" })).at_root(),
        refused("unknown", RULE, json!({ "type": "object", MAP_TYPE: "set" }), &[UNKNOWN]),
        refused("empty", EDGE, json!({ "type": "object", MAP_TYPE: "" }), &[UNKNOWN]),
        refused("unknown-at-the-root", RULE, json!({ "type": "object", MAP_TYPE: "Atomic" }), &[UNKNOWN]).at_root(),
        refused(
            "array",
            RULE,
            json!({ "type": "array", MAP_TYPE: "atomic", "items": { "type": "string" } }),
            &[(".type", "Invalid")],
        ),
        refused(
            "string-and-unknown",
            RULE,
            json!({ "type": "string", MAP_TYPE: "map" }),
            &[UNKNOWN, (".type", "Invalid")],
        ),
        refused("preserving", EDGE, json!({ PRESERVE: true, MAP_TYPE: "atomic" }), &[(".type", "Required")]),
        refused("no-type", RULE, json!({ MAP_TYPE: "granular" }), &[(".type", "Required"), (".type", "Required")]),
    ]
}
