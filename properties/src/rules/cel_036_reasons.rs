//! CEL-036: a rule may choose the reason of its cause, and nothing else of the answer.

use super::shared::{JUDGING, PLACES, with_rules};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-036", "CEL-036/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-036-reasons", plan)
    .title("the reason of a rule is that of its cause, and the answer is 422 Invalid whatever it is")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// What a rule may say, and the reason of the cause.
const REASONS: [(Option<&str>, Reason); 5] = [
    (None, Reason::Invalid),
    (Some("FieldValueInvalid"), Reason::Invalid),
    (Some("FieldValueForbidden"), Reason::Forbidden),
    (Some("FieldValueRequired"), Reason::Required),
    (Some("FieldValueDuplicate"), Reason::Duplicate),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let rules: Vec<(usize, i64)> = choices
        .span("node", |choices| choices.many("rule", 1, 4, |choices, _| (choices.index(5), choices.between(0, 9))));
    let entry = |&(reason, least): &(usize, i64)| {
        let mut rule = json!({ "rule": format!("self >= {least}"), "message": "too small" });
        if let (Some(reason), _) = REASONS[reason] {
            rule["reason"] = json!(reason);
        }
        rule
    };
    let node = with_rules(json!({ "type": "integer" }), rules.iter().map(entry));
    let place = Place::draw(choices, &PLACES);
    plan.at_place(choices, &place, &node, |choices| {
        let value = choices.between(0, 9);
        let broken = rules.iter().filter(|(_, least)| value < *least);
        let causes: Vec<_> = broken.map(|(reason, _)| ("", REASONS[*reason].1.name())).collect();
        Example::judged("reasons", ASSERTS, json!(value), causes)
    });
}
