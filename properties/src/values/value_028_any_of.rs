//! VALUE-028: at least one branch of `anyOf` must match.

use super::shared::{Family, Holder, JUDGING, Leaf};
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-028"];

pub(super) const PROPERTY: Property = Property::new("value-028-any-of", plan)
    .title("a value must satisfy at least one branch of anyOf")
    .asserts(ASSERTS)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let holder = Holder::draw(choices);
    let (node, branches, family) = Family::node(choices, "anyOf", &holder);
    holder.examples(plan, choices, &node, |choices| {
        if let Some(textless) = holder.textless(choices) {
            return textless.example(ASSERTS, []);
        }
        let text = Leaf::text(choices);
        let holds = branches.iter().any(|branch| branch.holds(&text));
        let failed = || vec![Cause::new(holder.field(), family.reason()), NIL.into()];
        Example::judged("branches", ASSERTS, holder.value(&text), if holds { vec![] } else { failed() })
    })
}

fn edge(plan: &mut Plan) {
    plan.in_one_schema(vec![
            Row::new(json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                "anyOf": [{ "properties": { "a": { "enum": ["x"] } }, "required": ["a"] }, { "properties": { "a": { "enum": ["y"] } }, "required": ["a"] }] })).with(vec![
                    Example::kept("first", ASSERTS, json!({ "a": "x" })),
                    Example::kept("second", ASSERTS, json!({ "a": "y" })),
                    Example::refused("neither", ASSERTS, json!({ "a": "z" }), [Cause::of(".a", Reason::NotSupported), NIL]),
                    Example::refused("missing", ASSERTS, json!({ "b": "x" }), [Cause::of(".a", Reason::Required), NIL]),
                ]),
            Row::new(json!({ "type": "string", "anyOf": [{}, { "minLength": 5 }] })).with(vec![Example::kept("empty-branch", ASSERTS, json!(""))]),
        ],
    )
}
