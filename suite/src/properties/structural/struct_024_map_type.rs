//! STRUCT-024: the values of map-type, and the type beside it.

use serde_json::json;

use super::shared::{Example, JUDGING, MAP_TYPE, PRESERVE, accepted, alone, anywhere, refused};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "struct-024-map-type",
    title: "map-type is granular or atomic, on a node of type object",
    asserts: &["STRUCT-024", "STRUCT-024/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&examples()) }],
    plan: |choices| anywhere(choices, "STRUCT-024", &examples()),
};

pub(super) fn examples() -> Vec<Example> {
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
