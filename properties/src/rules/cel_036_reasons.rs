//! CEL-036: a rule may choose the reason of its cause, and nothing else of the answer.

use super::{
    messages,
    shared::{JUDGING, PLACES, REASONS, with_rules},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-036", "CEL-036/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-036-reasons", plan)
    .title("the reason of a rule is that of its cause, and the answer is 422 Invalid whatever it is")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// That of each rule; no cause of a duplicate says it.
const MESSAGE: &str = "too small";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let rules: Vec<(usize, i64)> = choices
        .span("node", |choices| choices.many("rule", 1, 4, |choices, _| (choices.index(5), choices.between(0, 9))));
    let entry = |&(reason, least): &(usize, i64)| {
        let mut rule = json!({ "rule": format!("self >= {least}"), "message": MESSAGE });
        if let (Some(reason), _) = REASONS[reason] {
            rule["reason"] = json!(reason);
        }
        rule
    };
    let number = json!({ "type": "integer" });
    let node = with_rules(number.clone(), rules.iter().map(entry));
    let place = Place::draw(choices, &PLACES);
    plan.at_place(choices, &place, &node, |choices| {
        let value = choices.between(0, 9);
        let cause = |(reason, _): &(usize, i64)| {
            let (_, reason) = REASONS[*reason];
            let cause = Cause::new("", reason.name());
            if reason != Reason::Duplicate {
                return cause;
            }
            cause.with_message(messages::text(choices, &number, &json!(value), reason, MESSAGE))
        };
        let causes: Vec<Cause> = rules.iter().filter(|(_, least)| value < *least).map(cause).collect();
        Example::judged("reasons", ASSERTS, json!(value), causes)
    });
}
