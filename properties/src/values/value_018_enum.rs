//! VALUE-018: the value must equal a listed value.

use crdible_generators::{number, text};

use super::shared::{JUDGING, Within};
use crate::prelude::*;

const LISTED: &[&str] = &["VALUE-018"];
const DEEP: &[&str] = &["VALUE-018", "VALUE-018/e1"];

pub(super) const PROPERTY: Property = Property::new("value-018-enum", plan)
    .title("enum accepts exactly the values that equal a listed value")
    .asserts(DEEP)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let kind = choices.draw(4);
    let value = |choices: &mut Choices| match kind {
        0 => json!(text::text(choices, 0, 4)),
        1 => json!(number::integer(choices, i64::MIN + 1, i64::MAX - 1)),
        2 => json!({ "a": *choices.pick(&[1, 2]), "l": *choices.pick(&[[1, 2], [2, 1], [1, 1]]) }),
        3 => json!(*choices.pick(&[[1, 2], [2, 1], [1, 1]])),
        _ => json!(choices.draw(1) == 1),
    };
    let listed: Vec<Value> =
        choices.span("node", |choices| choices.many("listed", 1, 3, |choices, _| choices.keyed("value", value)));
    let mut node = match kind {
        0 => json!({ "type": "string" }),
        1 => json!({ "type": "integer" }),
        2 => json!({ "type": "object", "properties": {
            "a": { "type": "integer" }, "l": { "type": "array", "items": { "type": "integer" } },
        } }),
        3 => json!({ "type": "array", "items": { "type": "integer" } }),
        _ => json!({ "type": "boolean" }),
    };
    let within = choices.span("node", Within::draw);
    within.put(&mut node, json!({ "enum": listed }));
    plan.at_any_place(choices, &node, |choices| {
        let value = match choices.weighted(&[3, 2, 2]) {
            0 => choices.pick(&listed).clone(),
            1 => altered(choices.pick(&listed)),
            _ => value(choices),
        };
        let asserts = if kind == 0 { LISTED } else { DEEP };
        let is_listed = listed.contains(&value);
        let causes = within.causes(if is_listed { vec![] } else { vec![Cause::new("", Reason::NotSupported)] });
        if !is_listed || !causes.is_empty() {
            return Example::judged(if is_listed { "listed" } else { "not-listed" }, asserts, value, causes);
        }
        match (kind, choices.chance(1, 3)) {
            (2, true) => Example::becomes("listed-otherwise-written", asserts, reordered(&value), value),
            (1, true) if value.as_i64().is_some_and(|value| value.unsigned_abs() <= number::EXACT.unsigned_abs()) => {
                let text = number::written(choices, value.as_i64().unwrap_or(0));
                Example::becomes("listed-otherwise-written", asserts, exact(&text), value)
            }
            _ => Example::kept("listed", asserts, value),
        }
    })
}

/// A value that differs in one place.
fn altered(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(format!("{text}a")),
        Value::Number(number) => json!(number.as_i64().unwrap_or(0) + 1),
        Value::Bool(bool) => json!(!bool),
        Value::Array(elements) => elements.iter().rev().cloned().collect(),
        other => {
            let mut other = other.clone();
            other["l"][1] = json!(7);
            other
        }
    }
}

/// The same object with its keys in another order, and with a key that is pruned.
fn reordered(value: &Value) -> Content {
    let Json::Object(mut entries) = Json::from(value) else { return value.clone().into() };
    entries.reverse();
    entries.push(("unknown".to_owned(), Json::Null));
    Json::Object(entries).into()
}

fn edge(plan: &mut Plan) {
    let kept = |value: Value| Example::kept("listed", DEEP, value);
    let refused = |value: Value| Example::refused("not-listed", DEEP, value, [("", "NotSupported")]);
    plan.in_one_schema(vec![
        Row::new(json!({ "type": "integer", "enum": [9_007_199_254_740_993_i64, i64::MAX] })).with(vec![
            kept(json!(9_007_199_254_740_993_i64)),
            refused(json!(9_007_199_254_740_992_i64)),
            refused(json!(9_007_199_254_740_994_i64)),
            kept(json!(i64::MAX)),
            refused(json!(i64::MAX - 1)),
        ]),
        Row::new(json!({ "type": "integer", "enum": [1] }))
            .with(vec![Example::becomes("listed", DEEP, exact("1.0"), json!(1)), refused(json!(2))]),
        Row::new(json!({ "type": "object", "enum": [{ "a": "x", "d": "y" }], "properties": {
                "a": { "type": "string" }, "d": { "type": "string", "default": "y" },
            } }))
        .with(vec![
            Example::becomes("after-defaulting", DEEP, json!({ "a": "x" }), json!({ "a": "x", "d": "y" })),
            Example::becomes("after-pruning", DEEP, json!({ "a": "x", "u": 1 }), json!({ "a": "x", "d": "y" })),
            refused(json!({ "a": "x", "d": "z" })),
            refused(json!({})),
        ]),
        Row::new(json!({ "type": "array", "enum": [["a", "b"], []], "items": { "type": "string" } })).with(vec![
            kept(json!(["a", "b"])),
            kept(json!([])),
            refused(json!(["b", "a"])),
            refused(json!(["a"])),
        ]),
        Row::new(json!({ "type": "string", "enum": ["A", ""] })).with(vec![
            kept(json!("")),
            refused(json!("a")),
            refused(json!("A ")),
        ]),
        Row::new(json!({ "type": "boolean", "enum": [true] })).with(vec![kept(json!(true)), refused(json!(false))]),
    ])
}
