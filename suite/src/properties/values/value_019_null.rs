//! VALUE-019, VALUE-020: a null that is still there is judged by type and nullable alone.

use crdible_generators::choice::Choices;
use serde_json::{Map, Value, json};

use super::shared::{Example, INT_OR_STRING, JUDGING, PRESERVE, Sample, examples, samples};
use crate::{
    properties::{Edge, Property},
    scenario::Scenario,
};

const TYPES: &[&str] = &["VALUE-019", "VALUE-019/e1"];
const KEYWORDS: &[&str] = &["VALUE-020"];

pub(super) const PROPERTY: Property = Property {
    id: "value-019-null",
    title: "a null element fails unless its node is nullable or without a type, and no other keyword looks at it",
    asserts: &["VALUE-019", "VALUE-019/e1", "VALUE-020"],
    needs: JUDGING,
    edges: &[Edge { name: "properties", plan: properties }],
    plan,
};

const TYPED: [&str; 7] = ["string", "integer", "boolean", "number", "object", "array", INT_OR_STRING];

/// A node with keywords that no null could satisfy, were they for null.
fn node(choices: &mut Choices) -> (Value, bool) {
    let kind = choices.weighted(&[3, 3, 1, 2, 2, 2, 2, 3]);
    let is_nullable = choices.chance(1, 2);
    let mut node = Map::new();
    match TYPED.get(kind) {
        None => drop(node.insert(PRESERVE.to_owned(), json!(true))),
        Some(&INT_OR_STRING) => drop(node.insert(INT_OR_STRING.to_owned(), json!(true))),
        Some(kind) => drop(node.insert("type".to_owned(), json!(kind))),
    }
    if TYPED.get(kind) == Some(&"array") {
        node.insert("items".to_owned(), json!({ "type": "string" }));
    }
    if is_nullable {
        node.insert("nullable".to_owned(), json!(true));
    }
    let judging = [
        ("minLength", json!(1)),
        ("pattern", json!("x")),
        ("minimum", json!(1)),
        ("multipleOf", json!(2)),
        ("minItems", json!(1)),
        ("minProperties", json!(1)),
        ("required", json!(["a"])),
        ("not", json!({})),
        ("allOf", json!([{ "minLength": 1 }])),
        ("oneOf", json!([{}, {}])),
    ];
    choices.many_average("keyword", 0, 3, 1, |choices, _| {
        let (name, value) = choices.pick(&judging).clone();
        node.insert(name.to_owned(), value);
    });
    (Value::Object(node), is_nullable || kind == TYPED.len())
}

fn plan(choices: &mut Choices) -> Scenario {
    let (items, takes_null) = choices.span("node", node);
    samples(choices, &json!({ "type": "array", "items": items }), |choices| {
        let count = 1 + usize::try_from(choices.draw(2)).unwrap_or(0);
        let value = json!(vec![Value::Null; count]);
        if takes_null {
            return Sample::kept("null-passes", if choices.chance(1, 2) { KEYWORDS } else { TYPES }, value);
        }
        // Nothing else is told of a null.
        let causes: Vec<(String, &str)> = (0..count).map(|index| (format!("[{index}]"), "TypeInvalid")).collect();
        Sample::refused("null-fails", TYPES, value, causes)
    })
}

fn properties() -> Scenario {
    let object = |node: Value| json!({ "type": "object", "properties": { "a": node } });
    let kept = |asserts| Sample::kept("nullable", asserts, json!({ "a": null }));
    examples(vec![
        Example(
            object(json!({ "type": "string", "nullable": true, "minLength": 1, "pattern": "x", "not": {} })),
            vec![kept(KEYWORDS)],
        ),
        Example(object(json!({ "type": "integer", "nullable": true, "minimum": 1 })), vec![kept(KEYWORDS)]),
        Example(
            object(json!({ "type": "array", "nullable": true, "minItems": 1, "items": { "type": "string" } })),
            vec![kept(KEYWORDS)],
        ),
        Example(object(json!({ "type": "object", "nullable": true, "required": ["x"] })), vec![kept(KEYWORDS)]),
        Example(
            object(json!({ "type": "string" })),
            vec![Sample::becomes("dropped", TYPES, json!({ "a": null }), json!({}))],
        ),
        Example(
            json!({ "type": "array", "items": { "type": "array", "items": { "type": "string" } } }),
            vec![Sample::refused(
                "inner",
                TYPES,
                json!([["a"], ["a", null], null]),
                [("[1][1]", "TypeInvalid"), ("[2]", "TypeInvalid")],
            )],
        ),
    ])
}
