//! VALUE-029: exactly one branch of `oneOf` must match.

use super::shared::{Family, Holder, JUDGING, Leaf};
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-029"];
const EMPTY: &[&str] = &["VALUE-029/e1"];

pub(super) const PROPERTY: Property = Property::new("value-029-one-of", plan)
    .title("a value must satisfy exactly one branch of oneOf")
    .asserts(&["VALUE-029", "VALUE-029/e1"])
    .needs(JUDGING)
    .edges(&[Edge { name: "empty-branches", plan: empty_branches }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let holder = Holder::draw(choices);
    let (node, branches, family) = Family::node(choices, "oneOf", &holder);
    holder.examples(plan, choices, &node, |choices| {
        if let Some(textless) = holder.textless(choices) {
            return textless.example(ASSERTS, (branches.len() > 1).then_some(NIL));
        }
        let text = Leaf::text(choices);
        match branches.iter().filter(|branch| branch.holds(&text)).count() {
            0 => {
                let causes = [Cause::new(holder.field(), family.reason()), NIL.into()];
                Example::refused("none", ASSERTS, holder.value(&text), causes)
            }
            1 => Example::kept("one", ASSERTS, holder.value(&text)),
            _ => Example::refused("several", ASSERTS, holder.value(&text), [NIL]),
        }
    })
}

fn empty_branches(plan: &mut Plan) {
    let values = || [json!(""), json!("text")];
    let one = values().into_iter().map(|value| Example::kept("one-empty", EMPTY, value));
    let two = values().into_iter().map(|value| Example::refused("two-empty", EMPTY, value, [NIL]));
    plan.in_one_schema(vec![
        Row::new(json!({ "type": "string", "oneOf": [{}] })).with(one),
        Row::new(json!({ "type": "string", "oneOf": [{}, {}] })).with(two),
        Row::new(json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }))
        .with(vec![
            Example::kept("one", ASSERTS, json!({ "a": "x" })),
            Example::kept("other", ASSERTS, json!({ "b": "x" })),
            Example::refused("both", ASSERTS, json!({ "a": "x", "b": "x" }), [NIL]),
        ]),
    ])
}
