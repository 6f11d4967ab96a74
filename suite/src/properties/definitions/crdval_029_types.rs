//! CRDVAL-029: types.

use serde_json::json;

use super::super::structural::shared::{Example, accepted, alone, examples_anywhere, refused};
use super::shared::JUDGING;
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-029-types",
    title: "a type is one of six words, null is none of them, and causes name the way to the node",
    asserts: &["CRDVAL-029", "CRDVAL-029/e1", "CRDVAL-024"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&examples()) }],
    plan: |choices| examples_anywhere(choices, &examples()),
};

const RULE: &[&str] = &["CRDVAL-029", "CRDVAL-024"];
const EDGE: &[&str] = &["CRDVAL-029/e1"];
const UNKNOWN: &[(&str, &str)] = &[(".type", "NotSupported")];

fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = ["string", "number", "integer", "boolean", "object"]
        .map(|known| accepted("known", RULE, json!({ "type": known })))
        .to_vec();
    examples.extend(
        ["foo", "String", "int", "any"].map(|unknown| refused("unknown", RULE, json!({ "type": unknown }), UNKNOWN)),
    );
    examples.extend([
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
    examples
}
