//! CRDVAL-030, CRDVAL-032, CRDVAL-035: keywords that are forbidden everywhere.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{accepted, alone, anywhere, refused};

pub(super) const PROPERTY: Property =
    Property::new("crdval-030-forbidden-keywords", |plan, choices| anywhere(plan, choices, &pieces()))
        .title("keywords that Kubernetes does not support are forbidden everywhere in a schema")
        .asserts(&["CRDVAL-030", "CRDVAL-030/e1", "CRDVAL-032", "CRDVAL-035"])
        .needs(JUDGING)
        .edges(&[Edge { name: "examples", plan: |plan| alone(plan, &pieces()) }]);

const RULE: &[&str] = &["CRDVAL-030"];
const EDGE: &[&str] = &["CRDVAL-030/e1"];
const UNIQUE: &[&str] = &["CRDVAL-032"];

fn pieces() -> Vec<Piece> {
    let with = |keyword: &str, value: Value| json!({ "type": "string", keyword: value });
    let in_not = |keyword: &str, value: Value| json!({ "type": "string", "not": { keyword: value } });
    let mut pieces = vec![
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
    for (name, keyword, value, causes) in in_branches() {
        pieces.push(refused(name, RULE, in_not(keyword, value.clone()), causes.0).hiding());
        let schema = json!({ "type": "string", "allOf": [{}, { keyword: value }] });
        pieces.push(refused(name, RULE, schema, causes.1).hiding());
    }
    for keyword in ["id", "patternProperties", "definitions", "dependencies", "$ref", "additionalItems"] {
        pieces.push(accepted("null", EDGE, with(keyword, Value::Null)));
    }
    pieces
}

/// Causes in `not`, and in the second branch of `allOf`.
type Causes = (&'static [(&'static str, &'static str)], &'static [(&'static str, &'static str)]);

/// Keywords with values that are forbidden in branches as well.
fn in_branches() -> Vec<(&'static str, &'static str, Value, Causes)> {
    vec![
        (
            "additional-items-in-a-branch",
            "additionalItems",
            json!(false),
            (&[(".not.additionalItems", "Forbidden")], &[(".allOf[1].additionalItems", "Forbidden")]),
        ),
        (
            "dependencies-in-a-branch",
            "dependencies",
            json!({ "a": ["b"] }),
            (&[(".not.dependencies", "Forbidden")], &[(".allOf[1].dependencies", "Forbidden")]),
        ),
        (
            "definitions-in-a-branch",
            "definitions",
            json!({ "a": {} }),
            (&[(".not.definitions", "Forbidden")], &[(".allOf[1].definitions", "Forbidden")]),
        ),
        (
            "pattern-properties-in-a-branch",
            "patternProperties",
            json!({ "a": {} }),
            (&[(".not.patternProperties", "Forbidden")], &[(".allOf[1].patternProperties", "Forbidden")]),
        ),
        (
            "items-by-position-in-a-branch",
            "items",
            json!([{}]),
            (&[(".not.items", "Forbidden")], &[(".allOf[1].items", "Forbidden")]),
        ),
    ]
}

const PRESERVING: &str = ".x-kubernetes-preserve-unknown-fields";
