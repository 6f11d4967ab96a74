//! VALUE-027: every branch of `allOf` must hold.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Example, JUDGING, Leaf, NIL, Sample, examples, samples};
use crate::{
    properties::{Edge, Property},
    scenario::Scenario,
};

const ASSERTS: &[&str] = &["VALUE-027"];

pub(super) const PROPERTY: Property = Property {
    id: "value-027-all-of",
    title: "a value must satisfy every branch; each failure is told at its path, and once that there are some",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: edge }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let branches: Vec<Leaf> = choices.span("node", |choices| {
        let mut branches = Vec::new();
        choices.many("branch", 1, 4, |choices, _| {
            let branch = Leaf::any(choices);
            // Two findings with one text at one place are one cause.
            if !branches.contains(&branch) {
                branches.push(branch);
            }
        });
        branches
    });
    let schemas: Vec<Value> = branches.iter().map(Leaf::schema).collect();
    samples(choices, &json!({ "type": "string", "allOf": schemas }), |choices| {
        let text = Leaf::text(choices);
        let failed = branches.iter().filter(|branch| !branch.holds(&text));
        let mut causes: Vec<_> = failed.filter_map(Leaf::reason).map(|reason| ("", reason)).collect();
        if !causes.is_empty() {
            causes.push(NIL);
        }
        Sample::judged("branches", ASSERTS, json!(text), causes)
    })
}

fn edge() -> Scenario {
    let object = json!({
        "type": "object",
        "properties": { "a": { "type": "string" }, "b": { "type": "array", "items": { "type": "integer" } } },
        "allOf": [
            { "properties": { "a": { "minLength": 2 } } },
            { "properties": { "b": { "maxItems": 1, "items": { "maximum": 3 } } } },
            { "required": ["a"] },
        ],
    });
    examples(vec![Example(
        object,
        vec![
            Sample::kept("all", ASSERTS, json!({ "a": "xx", "b": [3] })),
            Sample::refused("own-path", ASSERTS, json!({ "a": "x" }), [(".a", "Invalid"), NIL]),
            Sample::refused(
                "own-paths",
                ASSERTS,
                json!({ "a": "x", "b": [3, 4] }),
                [(".a", "Invalid"), (".b", "TooMany"), (".b[1]", "Invalid"), NIL],
            ),
            Sample::refused("missing", ASSERTS, json!({ "b": [] }), [(".a", "Required"), NIL]),
        ],
    )])
}
