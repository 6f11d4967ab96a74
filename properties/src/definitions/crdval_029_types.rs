//! CRDVAL-029: types.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{accepted, alone, anywhere, refused};

pub(super) const PROPERTY: Property =
    Property::new("crdval-029-types", |plan, choices| anywhere(plan, choices, &pieces()))
        .title("the type of a node must be string, number, integer, boolean, array or object")
        .asserts(&["CRDVAL-029", "CRDVAL-029/e1", "CRDVAL-024"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| alone(plan, &pieces()) }]);

const RULE: &[&str] = &["CRDVAL-029", "CRDVAL-024"];
const EDGE: &[&str] = &["CRDVAL-029/e1"];
const UNKNOWN: &[(&str, &str)] = &[(".type", "NotSupported")];

fn pieces() -> Vec<Piece> {
    let mut pieces: Vec<Piece> = ["string", "number", "integer", "boolean", "object"]
        .map(|known| accepted("known", RULE, json!({ "type": known })))
        .to_vec();
    pieces.extend(
        ["foo", "String", "int", "any"].map(|unknown| refused("unknown", RULE, json!({ "type": unknown }), UNKNOWN)),
    );
    pieces.extend([
        accepted("array", RULE, json!({ "type": "array", "items": { "type": "string" } })),
        refused("null", RULE, json!({ "type": "null" }), &[(".type", "NotSupported"), (".type", "Forbidden")]),
        refused(
            "deep",
            RULE,
            json!({ "type": "object", "properties": { "a": { "type": "array", "items": { "type": "object", "additionalProperties": { "type": "text" } } } } }),
            &[(".properties[a].items.additionalProperties.type", "NotSupported")],
        ),
        refused(
            "in-quantifiers",
            EDGE,
            json!({ "type": "string", "allOf": [{}, { "type": "foo" }], "not": { "anyOf": [{ "type": "string" }] } }),
            &[
                (".allOf[1].type", "Forbidden"),
                (".allOf[1].type", "NotSupported"),
                (".not.anyOf[0].type", "Forbidden"),
            ],
        ),
    ]);
    pieces
}
