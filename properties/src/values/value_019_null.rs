//! VALUE-019, VALUE-020: only type and nullable apply to a null that was not dropped.

use super::shared::{JUDGING, Node, Refused, Verdict, fields};
use crate::prelude::*;

const TYPES: &[&str] = &["VALUE-019", "VALUE-019/e1"];
const KEYWORDS: &[&str] = &["VALUE-020"];

pub(super) const PROPERTY: Property = Property::new("value-019-null", plan)
    .title("a null list element is rejected unless its node is nullable or has no type")
    .asserts(&["VALUE-019", "VALUE-019/e1", "VALUE-020"])
    .needs(JUDGING)
    .edges(&[Edge { name: "properties", plan: properties }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(2, 3) {
        return anywhere(plan, choices);
    }
    let (items, takes_null, is_judging) = choices.span("node", |choices| {
        let node = Node::draw_for_null(choices);
        // Without a type.
        if choices.chance(1, 4) {
            (untyped(choices), true, true)
        } else {
            (node.schema, node.is_nullable, node.is_judging)
        }
    });
    plan.at_any_place(choices, &json!({ "type": "array", "items": items }), |choices| {
        let count = 1 + choices.up_to(2);
        let value = json!(vec![Value::Null; count]);
        if takes_null {
            return Example::kept("null-passes", if is_judging { KEYWORDS } else { TYPES }, value);
        }
        // No other cause is reported for a null.
        let causes: Vec<(String, &str)> = (0..count).map(|index| (format!("[{index}]"), "TypeInvalid")).collect();
        Example::refused("null-fails", TYPES, value, causes)
    })
}

/// A node without a type, with keywords that no null would satisfy if they applied to null.
fn untyped(choices: &mut Choices) -> Value {
    let mut node = json!({ PRESERVE: true });
    let judging = [
        ("minLength", json!(1)),
        ("minimum", json!(1)),
        ("minItems", json!(1)),
        ("required", json!(["a"])),
        ("not", json!({})),
        ("oneOf", json!([{}, {}])),
    ];
    choices.many_average("keyword", 1, 3, 1, |choices, _| {
        let (name, argument) = choices.pick(&judging).clone();
        node[name] = argument;
    });
    node
}

/// Nulls at properties, in lists and in maps: kept if the nodes are all nullable; otherwise rejected in lists, and
/// dropped elsewhere.
fn anywhere(plan: &mut Plan, choices: &mut Choices) {
    let is_nullable = choices.chance(1, 3);
    let draw = |choices: &mut Choices| {
        let mut node = Node::draw_for_null(choices);
        match node.schema.as_object_mut() {
            Some(schema) if !is_nullable => drop(schema.remove("nullable")),
            _ => node.schema["nullable"] = json!(true),
        }
        node
    };
    let asserts = if is_nullable { KEYWORDS } else { TYPES };
    let node = |node: &Node| node.schema.clone();
    fields(plan, choices, Refused::One, asserts, draw, node, |choices, _, around| {
        if choices.chance(1, 3) { Verdict::absent() } else { Verdict::null(around, is_nullable) }
    })
}

fn properties(plan: &mut Plan) {
    let object = |node: Value| json!({ "type": "object", "properties": { "a": node } });
    let kept = |asserts| Example::kept("nullable", asserts, json!({ "a": null }));
    plan.in_one_schema(vec![
        Row::new(object(json!({ "type": "string", "nullable": true, "minLength": 1, "pattern": "x", "not": {} })))
            .with(vec![kept(KEYWORDS)]),
        Row::new(object(json!({ "type": "integer", "nullable": true, "minimum": 1 }))).with(vec![kept(KEYWORDS)]),
        Row::new(object(json!({ "type": "array", "nullable": true, "minItems": 1, "items": { "type": "string" } })))
            .with(vec![kept(KEYWORDS)]),
        Row::new(object(json!({ "type": "object", "nullable": true, "required": ["x"] }))).with(vec![kept(KEYWORDS)]),
        Row::new(object(json!({ "type": "string" }))).with(vec![Example::becomes(
            "dropped",
            TYPES,
            json!({ "a": null }),
            json!({}),
        )]),
        Row::new(json!({ "type": "array", "items": { "type": "array", "items": { "type": "string" } } })).with(vec![
            Example::refused(
                "inner",
                TYPES,
                json!([["a"], ["a", null], null]),
                [("[1][1]", "TypeInvalid"), ("[2]", "TypeInvalid")],
            ),
        ]),
    ])
}
