//! VALUE-030: the branch of `not` must not match; quantifiers nest.

use super::shared::{Holder, JUDGING, Leaf};
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-030"];
const NESTED: &[&str] = &["VALUE-030", "VALUE-030/e1"];

/// `oneOf` with two branches, one of them empty.
const NEXT_TO_EMPTY: &str = "oneOf beside {}";

pub(super) const PROPERTY: Property = Property::new("value-030-not", plan)
    .title("a value that satisfies the branch of not is rejected, at any depth of quantifiers")
    .asserts(NESTED)
    .needs(JUDGING)
    .edges(&[Edge { name: "nested", plan: nested }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let holder = Holder::draw(choices);
    // How the branch of `not` is wrapped: a list of keywords, the outermost first. With an empty branch next to it,
    // `oneOf` inverts a branch like `not`.
    let (leaf, wraps) = choices.span("node", |choices| {
        let leaf = Leaf::any(choices);
        (
            leaf,
            choices.many_average("wrap", 0, 3, 1, |choices, _| {
                *choices.pick(&["allOf", "anyOf", "oneOf", "not", NEXT_TO_EMPTY])
            }),
        )
    });
    let branch = wraps.iter().rev().fold(holder.branch(leaf.schema()), |inner, keyword| match *keyword {
        "not" => json!({ "not": inner }),
        NEXT_TO_EMPTY => json!({ "oneOf": [inner, {}] }),
        keyword => json!({ keyword: [inner] }),
    });
    let turns = wraps.iter().filter(|keyword| matches!(**keyword, "not" | NEXT_TO_EMPTY)).count();
    let asserts = if wraps.is_empty() { ASSERTS } else { NESTED };
    holder.examples(plan, choices, &holder.node("not", branch), |choices| {
        if let Some(textless) = holder.textless(choices) {
            return textless.example(asserts, (turns % 2 == 0).then_some(NIL));
        }
        let text = Leaf::text(choices);
        let branch_holds = leaf.holds(&text) == (turns % 2 == 0);
        let causes = if branch_holds { vec![NIL] } else { vec![] };
        Example::judged("branch", asserts, holder.value(&text), causes)
    })
}

fn nested(plan: &mut Plan) {
    let refused = |text: &str, causes: &[RowCause]| Example::refused("nested", NESTED, json!(text), causes.to_vec());
    let kept = |text: &str| Example::kept("nested", NESTED, json!(text));
    let string = |keyword: &str, branch: Value| json!({ "type": "string", keyword: branch });
    plan.in_one_schema(vec![
        Row::new(string("not", json!({}))).with(vec![refused("", &[NIL]), refused("a", &[NIL])]),
        Row::new(string("anyOf", json!([{}]))).with(vec![kept(""), kept("a")]),
        Row::new(string("allOf", json!([{ "not": { "minLength": 2 } }])))
            .with(vec![kept("a"), refused("ab", &[NIL, NIL])]),
        Row::new(string("anyOf", json!([{ "allOf": [{ "minLength": 2 }] }])))
            .with(vec![kept("ab"), refused("a", &[Cause::of("", Reason::Invalid), NIL, NIL])]),
        Row::new(string("oneOf", json!([{ "not": { "minLength": 2 } }])))
            .with(vec![kept("a"), refused("ab", &[NIL, NIL])]),
    ])
}
