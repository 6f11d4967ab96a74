//! VALUE-029: exactly one branch of `oneOf` must hold.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Example, Family, JUDGING, Leaf, NIL, Sample, examples, samples};
use crate::{
    properties::{Edge, Property},
    scenario::Scenario,
};

const ASSERTS: &[&str] = &["VALUE-029"];
const EMPTY: &[&str] = &["VALUE-029/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "value-029-one-of",
    title: "a value must satisfy exactly one branch: none and several are refused in two ways",
    asserts: &["VALUE-029", "VALUE-029/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "empty-branches", plan: empty_branches }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let (family, branches) = choices.span("node", |choices| {
        let family = Family::draw(choices);
        (family, family.branches(choices))
    });
    let schemas: Vec<Value> = branches.iter().map(Leaf::schema).collect();
    samples(choices, &json!({ "type": "string", "oneOf": schemas }), |choices| {
        let text = Leaf::text(choices);
        match branches.iter().filter(|branch| branch.holds(&text)).count() {
            0 => Sample::refused("none", ASSERTS, json!(text), [("", family.reason()), NIL]),
            1 => Sample::kept("one", ASSERTS, json!(text)),
            _ => Sample::refused("several", ASSERTS, json!(text), [NIL]),
        }
    })
}

fn empty_branches() -> Scenario {
    let values = || [json!(""), json!("text")];
    let one = values().into_iter().map(|value| Sample::kept("one-empty", EMPTY, value)).collect();
    let two = values().into_iter().map(|value| Sample::refused("two-empty", EMPTY, value, [NIL])).collect();
    examples(vec![
        Example(json!({ "type": "string", "oneOf": [{}] }), one),
        Example(json!({ "type": "string", "oneOf": [{}, {}] }), two),
        Example(
            json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            vec![
                Sample::kept("one", ASSERTS, json!({ "a": "x" })),
                Sample::kept("other", ASSERTS, json!({ "b": "x" })),
                Sample::refused("both", ASSERTS, json!({ "a": "x", "b": "x" }), [NIL]),
            ],
        ),
    ])
}
