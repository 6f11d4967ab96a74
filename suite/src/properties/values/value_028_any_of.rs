//! VALUE-028: at least one branch of `anyOf` must hold.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{Example, Family, Holder, JUDGING, Leaf, NIL, Sample, examples};
use crate::{
    properties::{Edge, Property},
    scenario::Scenario,
};

const ASSERTS: &[&str] = &["VALUE-028"];

pub(super) const PROPERTY: Property = Property {
    id: "value-028-any-of",
    title: "a value must satisfy one branch or more; if none, that is told together with one branch's failure",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: edge }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let holder = Holder::draw(choices);
    let (node, branches, family) = Family::node(choices, "anyOf", &holder);
    holder.samples(choices, &node, |choices| {
        if let Some(textless) = holder.textless(choices) {
            return textless.sample(ASSERTS, []);
        }
        let text = Leaf::text(choices);
        let holds = branches.iter().any(|branch| branch.holds(&text));
        let failed = || vec![(holder.field(), family.reason()), (NIL.0.to_owned(), NIL.1)];
        Sample::judged("branches", ASSERTS, holder.value(&text), if holds { vec![] } else { failed() })
    })
}

fn edge() -> Scenario {
    examples(vec![
        Example(
            json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                "anyOf": [{ "properties": { "a": { "enum": ["x"] } }, "required": ["a"] }, { "properties": { "a": { "enum": ["y"] } }, "required": ["a"] }] }),
            vec![
                Sample::kept("first", ASSERTS, json!({ "a": "x" })),
                Sample::kept("second", ASSERTS, json!({ "a": "y" })),
                Sample::refused("neither", ASSERTS, json!({ "a": "z" }), [(".a", "NotSupported"), NIL]),
                Sample::refused("missing", ASSERTS, json!({ "b": "x" }), [(".a", "Required"), NIL]),
            ],
        ),
        Example(
            json!({ "type": "string", "anyOf": [{}, { "minLength": 5 }] }),
            vec![Sample::kept("empty-branch", ASSERTS, json!(""))],
        ),
    ])
}
