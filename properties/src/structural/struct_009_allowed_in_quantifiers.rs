//! STRUCT-009: value validation keywords are allowed in quantifiers.

use crdible_generators::rule::bury;

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{PIECES, accepted, alone, host};

pub(super) const PROPERTY: Property = Property::new("struct-009-allowed-in-quantifiers", plan)
    .title("value validation, externalDocs and example are accepted at any depth of a quantifier")
    .asserts(&["STRUCT-009", "CRDVAL-037"])
    .needs(JUDGING)
    .edges(&[Edge { name: "each-keyword", plan: |plan| alone(plan, &pieces()) }]);

fn keywords() -> Vec<(&'static str, Value)> {
    vec![
        ("minimum", json!(1)),
        ("maximum", json!(0.5)),
        ("exclusiveMinimum", json!(true)),
        ("exclusiveMaximum", json!(true)),
        ("multipleOf", json!(2)),
        ("minLength", json!(3)),
        ("maxLength", json!(-1)),
        ("pattern", json!("^a+$")),
        ("format", json!("date-time")),
        ("minItems", json!(1)),
        ("maxItems", json!(2)),
        ("uniqueItems", json!(false)),
        ("minProperties", json!(1)),
        ("maxProperties", json!(0)),
        ("enum", json!(["a", 1, null, { "b": [] }])),
        ("required", json!(["x", "x"])),
        ("properties", json!({ "a": { "minLength": 1 } })),
        ("items", json!({ "maximum": 3 })),
        ("allOf", json!([{ "minimum": 1 }, {}])),
        ("anyOf", json!([{ "maxLength": 1 }])),
        ("oneOf", json!([{ "enum": [1] }, { "required": ["y"] }])),
        ("not", json!({ "properties": { "a": {} } })),
        ("externalDocs", json!({ "description": "more", "url": "https://example.com" })),
        ("example", json!({ "a": [1] })),
    ]
}

/// A node that declares the fields that the keywords mention.
fn leaf() -> Value {
    json!({ "type": "object", "properties": { "a": { "type": "string" } }, "items": { "type": "integer" } })
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("branch", 1, PIECES, |choices, _| {
        let mut branch = Map::new();
        choices.many("keyword", 1, 6, |choices, _| {
            let (keyword, value) = choices.pick(&keywords()).clone();
            branch.insert(keyword.to_owned(), value);
        });
        let buried = bury(choices, Value::Object(branch), leaf());
        let defined = plan.try_define(host::plant(choices, &buried.node).schema);
        plan.check("allowed", &["STRUCT-009", "CRDVAL-037"], defined, Expectation::Accepted);
        plan.count_case();
    });
}

fn pieces() -> Vec<Piece> {
    let with = |keyword: &'static str, value: Value| {
        let mut node = leaf();
        node["allOf"] = json!([{ keyword: value }]);
        node["not"] = json!({ "oneOf": [{}, { keyword: value }] });
        accepted(keyword, &["STRUCT-009"], node)
    };
    keywords().into_iter().map(|(keyword, value)| with(keyword, value)).collect()
}
