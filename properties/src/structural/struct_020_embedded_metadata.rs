//! STRUCT-020: the metadata of an embedded resource may declare anything.

use super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{EMBEDDED, PRESERVE, Piece, accepted, alone};

pub(super) const PROPERTY: Property = Property {
    id: "struct-020-embedded-metadata",
    title: "the metadata of an embedded resource may declare any properties, validation and defaults",
    asserts: &["STRUCT-020"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-020", &pieces()),
};

fn pieces() -> Vec<Piece> {
    let strings = || json!({ "type": "object", "additionalProperties": { "type": "string", "maxLength": 3 } });
    [
        ("labels", json!({ "properties": { "labels": strings(), "annotations": strings() } })),
        ("any-property", json!({ "properties": { "foo": { "type": "integer" }, "uid": { "type": "string", "nullable": true } } })),
        ("value-validation", json!({ "required": ["name"], "maxProperties": 4, "properties": { "name": { "type": "string", "pattern": "^a" } } })),
        ("map", json!({ "additionalProperties": { "type": "string" } })),
        ("preserving", json!({ PRESERVE: true })),
        ("described", json!({ "description": "x", "title": "y", "nullable": true })),
        ("default", json!({ "default": { "labels": { "a": "b" } } })),
        ("default-of-labels", json!({ "properties": { "labels": { "type": "object", "default": { "a": "b" }, "additionalProperties": { "type": "string" } } } })),
    ]
    .into_iter()
    .map(|(name, mut metadata)| {
        metadata["type"] = json!("object");
        accepted(name, &["STRUCT-020"], json!({ "type": "object", EMBEDDED: true, "properties": { "metadata": metadata } }))
    })
    .collect()
}
