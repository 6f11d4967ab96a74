//! CRDVAL-030, CRDVAL-032, CRDVAL-035: keywords that may not stand anywhere.

use serde_json::{Value, json};

use super::super::structural::shared::{Example, PRESERVE, accepted, alone, anywhere, refused};
use super::shared::JUDGING;
use crate::properties::{Edge, Property};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-030-forbidden-keywords",
    title: "keywords that Kubernetes does not take are forbidden wherever they stand, unless they are empty",
    asserts: &["CRDVAL-030", "CRDVAL-030/e1", "CRDVAL-032", "CRDVAL-035"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&examples()) }],
    plan: |choices| anywhere(choices, "CRDVAL-030", &examples()),
};

const RULE: &[&str] = &["CRDVAL-030"];
const EDGE: &[&str] = &["CRDVAL-030/e1"];
const UNIQUE: &[&str] = &["CRDVAL-032"];

fn examples() -> Vec<Example> {
    let with = |keyword: &str, value: Value| json!({ "type": "string", keyword: value });
    let in_not = |keyword: &str, value: Value| json!({ "type": "string", "not": { keyword: value } });
    let mut examples = vec![
        refused("id", RULE, with("id", json!("x")), &[(".id", "Forbidden")]).hiding(),
        refused("id-in-a-branch", RULE, in_not("id", json!("x")), &[(".not.id", "Forbidden")]).hiding(),
        refused(
            "pattern-properties",
            RULE,
            with("patternProperties", json!({ "a": {} })),
            &[(".patternProperties", "Forbidden")],
        )
        .hiding(),
        refused("definitions", RULE, with("definitions", json!({ "a": {} })), &[(".definitions", "Forbidden")])
            .hiding(),
        refused("dependencies", RULE, with("dependencies", json!({ "a": ["b"] })), &[(".dependencies", "Forbidden")])
            .hiding(),
        refused("reference", RULE, with("$ref", json!("#/a")), &[(".$ref", "Forbidden")]).hiding(),
        refused("reference-in-a-branch", RULE, in_not("$ref", json!("#/a")), &[(".not.$ref", "Forbidden")]).hiding(),
        refused("empty-reference", EDGE, with("$ref", json!("")), &[(".$ref", "Forbidden")]),
        refused("additional-items", EDGE, with("additionalItems", json!(true)), &[(".additionalItems", "Forbidden")])
            .hiding(),
        refused(
            "no-additional-items",
            EDGE,
            with("additionalItems", json!(false)),
            &[(".additionalItems", "Forbidden")],
        )
        .hiding(),
        refused("empty-dependencies", EDGE, with("dependencies", json!({})), &[(".dependencies", "Forbidden")]),
        refused(
            "items-by-position",
            RULE,
            json!({ "type": "array", "items": [{ "type": "string" }] }),
            &[(".items", "Forbidden")],
        )
        .hiding(),
        refused("unique-items", UNIQUE, with("uniqueItems", json!(true)), &[(".uniqueItems", "Forbidden")]),
        refused(
            "unique-items-of-elements",
            UNIQUE,
            json!({ "type": "array", "items": { "type": "array", "uniqueItems": true, "items": { "type": "string" } } }),
            &[(".items.uniqueItems", "Forbidden")],
        ),
        refused(
            "unique-items-in-a-branch",
            UNIQUE,
            in_not("uniqueItems", json!(true)),
            &[(".not.uniqueItems", "Forbidden")],
        ),
        accepted("no-unique-items", UNIQUE, with("uniqueItems", json!(false))),
        refused("not-preserving", &["CRDVAL-035"], with(PRESERVE, json!(false)), &[(PRESERVING, "Invalid")]).hiding(),
        accepted("preserving", &["CRDVAL-035"], json!({ "type": "object", PRESERVE: true })),
        accepted("empty", EDGE, json!({ "type": "string", "id": "", "patternProperties": {}, "definitions": {} })),
    ];
    for keyword in ["id", "patternProperties", "definitions", "dependencies", "$ref", "additionalItems"] {
        examples.push(accepted("null", EDGE, with(keyword, Value::Null)));
    }
    examples
}

const PRESERVING: &str = ".x-kubernetes-preserve-unknown-fields";
