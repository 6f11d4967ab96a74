//! STRUCT-002: every node below the root has a type, or an extension that replaces it.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{INT_OR_STRING, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-002-node-types",
    title: "a structural node below the root must have a type, unless an extension replaces it",
    asserts: &["STRUCT-002", "STRUCT-002/e1", "CRDVAL-024"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-002", &pieces()),
};

const TYPE: &[&str] = &["STRUCT-002", "STRUCT-002/e1"];
const PLACES: &[&str] = &["STRUCT-002", "CRDVAL-024"];
const EXCUSED: &[&str] = &["STRUCT-002", "STRUCT-002/e1"];

pub(super) fn pieces() -> Vec<Piece> {
    let mut pieces = vec![
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
        // Null counts as absent, except for a property.
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
        pieces.push(refused(name, TYPE, node, &[(".type", "Required")]));
    }
    for (name, extension) in [("excused-by-preserving", PRESERVE), ("excused-by-int-or-string", INT_OR_STRING)] {
        pieces.push(accepted(name, EXCUSED, json!({ extension: true })));
        pieces.push(accepted(name, EXCUSED, json!({ "type": "array", "items": { extension: true } })));
        pieces.push(accepted(name, EXCUSED, json!({ "type": "object", "additionalProperties": { extension: true } })));
    }
    pieces
}
