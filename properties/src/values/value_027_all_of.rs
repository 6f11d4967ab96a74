//! VALUE-027: every branch of `allOf` must match.

use super::shared::{Holder, JUDGING, Leaf};
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-027"];

pub(super) const PROPERTY: Property = Property::new("value-027-all-of", plan)
    .title("a value must satisfy every branch of allOf")
    .asserts(ASSERTS)
    .needs(JUDGING)
    .edges(&[Edge { name: "examples", plan: edge }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let holder = Holder::draw(choices);
    let branches: Vec<Leaf> = choices.span("node", |choices| {
        let mut branches = Vec::new();
        choices.many("branch", 1, 4, |choices, _| {
            let branch = Leaf::any(choices);
            // Two causes with the same text at the same place are reported once.
            if !branches.contains(&branch) {
                branches.push(branch);
            }
        });
        branches
    });
    let schemas: Vec<Value> = branches.iter().map(|branch| holder.branch(branch.schema())).collect();
    holder.examples(plan, choices, &holder.node("allOf", json!(schemas)), |choices| {
        if let Some(textless) = holder.textless(choices) {
            return textless.example(ASSERTS, []);
        }
        let text = Leaf::text(choices);
        let failed = branches.iter().filter(|branch| !branch.holds(&text));
        let reasons = failed.filter_map(Leaf::reason);
        let mut causes: Vec<Cause> = reasons.map(|reason| Cause::new(holder.field(), reason)).collect();
        if !causes.is_empty() {
            causes.push(NIL.into());
        }
        Example::judged("branches", ASSERTS, holder.value(&text), causes)
    })
}

fn edge(plan: &mut Plan) {
    let object = json!({
        "type": "object",
        "properties": { "a": { "type": "string" }, "b": { "type": "array", "items": { "type": "integer" } } },
        "allOf": [
            { "properties": { "a": { "minLength": 2 } } },
            { "properties": { "b": { "maxItems": 1, "items": { "maximum": 3 } } } },
            { "required": ["a"] },
        ],
    });
    plan.in_one_schema(vec![Row::new(object).with(vec![
        Example::kept("all", ASSERTS, json!({ "a": "xx", "b": [3] })),
        Example::refused("own-path", ASSERTS, json!({ "a": "x" }), [Cause::of(".a", Reason::Invalid), NIL]),
        Example::refused(
            "own-paths",
            ASSERTS,
            json!({ "a": "x", "b": [3, 4] }),
            [
                Cause::of(".a", Reason::Invalid),
                Cause::of(".b", Reason::TooMany),
                Cause::of(".b[1]", Reason::Invalid),
                NIL,
            ],
        ),
        Example::refused("missing", ASSERTS, json!({ "b": [] }), [Cause::of(".a", Reason::Required), NIL]),
    ])])
}
