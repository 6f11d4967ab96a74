//! VALUE-029: exactly one branch of `oneOf` must hold.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{Example, Family, Holder, JUDGING, Leaf, NIL, Sample, examples};
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
    let holder = Holder::draw(choices);
    let (node, branches, family) = Family::node(choices, "oneOf", &holder);
    holder.samples(choices, &node, |choices| {
        if let Some(textless) = holder.textless(choices) {
            return textless.sample(ASSERTS, (branches.len() > 1).then_some(NIL));
        }
        let text = Leaf::text(choices);
        match branches.iter().filter(|branch| branch.holds(&text)).count() {
            0 => {
                let causes = [(holder.field(), family.reason()), (NIL.0.to_owned(), NIL.1)];
                Sample::refused("none", ASSERTS, holder.value(&text), causes)
            }
            1 => Sample::kept("one", ASSERTS, holder.value(&text)),
            _ => Sample::refused("several", ASSERTS, holder.value(&text), [NIL]),
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
