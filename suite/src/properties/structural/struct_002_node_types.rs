//! STRUCT-002: every other node says its type, or is excused by an extension.

use serde_json::json;

use super::shared::{Example, INT_OR_STRING, JUDGING, PRESERVE, accepted, alone, anywhere, refused};
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "struct-002-node-types",
    title: "a property, element or map value without a type is refused there, unless an extension excuses it",
    asserts: &["STRUCT-002", "STRUCT-002/e1", "CRDVAL-024"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&examples()) }],
    plan: |choices| anywhere(choices, "STRUCT-002", &examples()),
};

const TYPE: &[&str] = &["STRUCT-002", "STRUCT-002/e1"];
const PLACES: &[&str] = &["STRUCT-002", "CRDVAL-024"];
const EXCUSED: &[&str] = &["STRUCT-002", "STRUCT-002/e1"];

pub(super) fn examples() -> Vec<Example> {
    let mut examples = vec![
        refused("as-element", PLACES, json!({ "type": "array", "items": {} }), &[(".items.type", "Required")]),
        refused(
            "as-map-value",
            PLACES,
            json!({ "type": "object", "additionalProperties": {} }),
            &[(".additionalProperties.type", "Required")],
        ),
        refused(
            "two-properties",
            PLACES,
            json!({ "type": "object", "properties": { "b": {}, "c": { "enum": [1] }, "d": { "type": "string" } } }),
            &[(".properties[b].type", "Required"), (".properties[c].type", "Required")],
        ),
        // Elsewhere than among properties, null is absence.
        refused(
            "null",
            TYPE,
            json!({ "type": "object", "properties": { "b": null } }),
            &[(".properties[b].type", "Required")],
        ),
    ];
    for (name, node) in [
        ("nothing", json!({})),
        ("description", json!({ "description": "x" })),
        ("nullable", json!({ "nullable": true })),
        ("enum", json!({ "enum": ["a", "b"] })),
        ("properties", json!({ "properties": { "a": { "type": "string" } } })),
        ("empty-text", json!({ "type": "" })),
    ] {
        examples.push(refused(name, TYPE, node, &[(".type", "Required")]));
    }
    for (name, extension) in [("excused-by-preserving", PRESERVE), ("excused-by-int-or-string", INT_OR_STRING)] {
        examples.push(accepted(name, EXCUSED, json!({ extension: true })));
        examples.push(accepted(name, EXCUSED, json!({ "type": "array", "items": { extension: true } })));
        examples.push(accepted(
            name,
            EXCUSED,
            json!({ "type": "object", "additionalProperties": { extension: true } }),
        ));
    }
    examples
}
