//! VALUE-030: the branch of `not` must not hold; quantifiers nest.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{Example, JUDGING, Leaf, NIL, Sample, examples, samples};
use crate::{
    properties::{Edge, Property},
    scenario::Scenario,
};

const ASSERTS: &[&str] = &["VALUE-030"];
const NESTED: &[&str] = &["VALUE-030", "VALUE-030/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "value-030-not",
    title: "a value that satisfies the branch of `not` is refused with the summary alone, at any depth of quantifiers",
    asserts: NESTED,
    needs: JUDGING,
    edges: &[Edge { name: "nested", plan: nested }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    // How the branch of `not` is wrapped: a list of one keyword each, the outermost first.
    let (leaf, wraps) = choices.span("node", |choices| {
        let leaf = Leaf::any(choices);
        (leaf, choices.many_average("wrap", 0, 3, 1, |choices, _| *choices.pick(&["allOf", "anyOf", "oneOf", "not"])))
    });
    let branch = wraps.iter().rev().fold(leaf.schema(), |inner, keyword| match *keyword {
        "not" => json!({ "not": inner }),
        keyword => json!({ keyword: [inner] }),
    });
    let turns = wraps.iter().filter(|keyword| **keyword == "not").count();
    samples(choices, &json!({ "type": "string", "not": branch }), |choices| {
        let text = Leaf::text(choices);
        let branch_holds = leaf.holds(&text) == (turns % 2 == 0);
        let causes = if branch_holds { vec![NIL] } else { vec![] };
        Sample::judged("branch", if wraps.is_empty() { ASSERTS } else { NESTED }, json!(text), causes)
    })
}

fn nested() -> Scenario {
    let refused = |text: &str, causes: &[(&'static str, &'static str)]| {
        Sample::refused("nested", NESTED, json!(text), causes.to_vec())
    };
    let kept = |text: &str| Sample::kept("nested", NESTED, json!(text));
    let string = |keyword: &str, branch: serde_json::Value| json!({ "type": "string", keyword: branch });
    examples(vec![
        Example(string("not", json!({})), vec![refused("", &[NIL]), refused("a", &[NIL])]),
        Example(string("anyOf", json!([{}])), vec![kept(""), kept("a")]),
        Example(string("allOf", json!([{ "not": { "minLength": 2 } }])), vec![kept("a"), refused("ab", &[NIL, NIL])]),
        Example(
            string("anyOf", json!([{ "allOf": [{ "minLength": 2 }] }])),
            vec![kept("ab"), refused("a", &[("", "Invalid"), NIL, NIL])],
        ),
        Example(string("oneOf", json!([{ "not": { "minLength": 2 } }])), vec![kept("a"), refused("ab", &[NIL, NIL])]),
    ])
}
