//! VALUE-029: exactly one branch of `oneOf` must match.

use super::shared::{Family, Holder, JUDGING, Leaf};
use crate::prelude::*;
use crate::shared::{Example, NIL, Row, in_one_schema};

const ASSERTS: &[&str] = &["VALUE-029"];
const EMPTY: &[&str] = &["VALUE-029/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "value-029-one-of",
    title: "a value must satisfy exactly one branch of oneOf",
    asserts: &["VALUE-029", "VALUE-029/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "empty-branches", plan: empty_branches }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let holder = Holder::draw(choices);
    let (node, branches, family) = Family::node(choices, "oneOf", &holder);
    holder.examples(choices, &node, |choices| {
        if let Some(textless) = holder.textless(choices) {
            return textless.example(ASSERTS, (branches.len() > 1).then_some(NIL));
        }
        let text = Leaf::text(choices);
        match branches.iter().filter(|branch| branch.holds(&text)).count() {
            0 => {
                let causes = [(holder.field(), family.reason()), (NIL.0.to_owned(), NIL.1)];
                Example::refused("none", ASSERTS, holder.value(&text), causes)
            }
            1 => Example::kept("one", ASSERTS, holder.value(&text)),
            _ => Example::refused("several", ASSERTS, holder.value(&text), [NIL]),
        }
    })
}

fn empty_branches() -> Scenario {
    let values = || [json!(""), json!("text")];
    let one = values().into_iter().map(|value| Example::kept("one-empty", EMPTY, value));
    let two = values().into_iter().map(|value| Example::refused("two-empty", EMPTY, value, [NIL]));
    in_one_schema(vec![
        Row::new(json!({ "type": "string", "oneOf": [{}] }), one),
        Row::new(json!({ "type": "string", "oneOf": [{}, {}] }), two),
        Row::new(
            json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            vec![
                Example::kept("one", ASSERTS, json!({ "a": "x" })),
                Example::kept("other", ASSERTS, json!({ "b": "x" })),
                Example::refused("both", ASSERTS, json!({ "a": "x", "b": "x" }), [NIL]),
            ],
        ),
    ])
}
