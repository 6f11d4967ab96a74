//! CEL-034: a rule that cannot be evaluated gives a cause at its value, and the other rules run as well.

use super::{
    costs::{DEAR, SQUARE, integers, zeros},
    shared::{JUDGING, SINGLE, forbidden, forbidding, with_rules},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-034"];

pub(super) const PROPERTY: Property = Property::new("cel-034-errors", plan)
    .title("a rule that cannot be evaluated gives an Invalid cause at its value, and the others run as well")
    .asserts(ASSERTS)
    .needs(JUDGING)
    .edges(&[Edge { name: "dear-messages", plan: dear_messages }]);

/// What becomes of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evaluation {
    Holds,
    IsFalse,
    IsError,
}

/// Expressions of an object whose `n` is a number, and what they give if that is 0, and else.
const EXPRESSIONS: [(&str, Evaluation, Evaluation); 11] = [
    ("true", Evaluation::Holds, Evaluation::Holds),
    ("false", Evaluation::IsFalse, Evaluation::IsFalse),
    ("self.n == 0", Evaluation::Holds, Evaluation::IsFalse),
    ("self.n != 0", Evaluation::IsFalse, Evaluation::Holds),
    ("1 / self.n == 1 || self.n > 1", Evaluation::IsError, Evaluation::Holds),
    ("1 / self.n == 7", Evaluation::IsError, Evaluation::IsFalse),
    ("self.absent == 'x'", Evaluation::IsError, Evaluation::IsError),
    ("has(self.absent) && self.absent == 'x'", Evaluation::IsFalse, Evaluation::IsFalse),
    ("[1, 2][self.n] == 1", Evaluation::Holds, Evaluation::IsError),
    ("int(self.text) == self.n", Evaluation::IsError, Evaluation::IsError),
    (
        "self.n - 9223372036854775807 < -9223372036854775807 + self.n || self.n > 0",
        Evaluation::IsFalse,
        Evaluation::Holds,
    ),
];

const REASONS: [(&str, Reason); 3] = [
    ("FieldValueForbidden", Reason::Forbidden),
    ("FieldValueRequired", Reason::Required),
    ("FieldValueDuplicate", Reason::Duplicate),
];

struct Rule {
    results: [Evaluation; 2],
    entry: Value,
    path: &'static str,
    reason: &'static str,
}

fn rule(choices: &mut Choices) -> Rule {
    let (expression, of_zero, of_others) = *choices.pick(&EXPRESSIONS);
    let mut entry = json!({ "rule": expression });
    let (mut path, mut reason) = ("", Reason::Invalid);
    if choices.chance(1, 2) {
        (path, entry["fieldPath"]) = (".n", json!(".n"));
    }
    if choices.chance(1, 2) {
        let (stated, of_cause) = *choices.pick(&REASONS);
        (reason, entry["reason"]) = (of_cause, json!(stated));
    }
    if choices.chance(1, 3) {
        entry["message"] = json!("broken");
    }
    if choices.chance(1, 3) {
        entry["messageExpression"] = json!("'computed'");
    }
    Rule { results: [of_zero, of_others], entry, path, reason: reason.name() }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let rules = choices.span("node", |choices| choices.many("rule", 1, 5, |choices, _| rule(choices)));
    let text = json!({ "type": "string", "maxLength": 5 });
    let node = json!({
        "type": "object", "required": ["n", "text"],
        "properties": { "n": { "type": "integer" }, "text": text, "absent": text },
    });
    let place = Place::draw(choices, &SINGLE);
    let ruled = with_rules(node, rules.iter().map(|rule| rule.entry.clone()));
    plan.at_place(choices, &place, &ruled, |choices| {
        // With two, no index is in the list any more, and nothing is 1 / n.
        let number = *choices.pick(&[0, 2]);
        let mut causes = Vec::new();
        for rule in &rules {
            match rule.results[usize::from(number != 0)] {
                Evaluation::Holds => {}
                Evaluation::IsFalse => causes.push((rule.path, rule.reason)),
                Evaluation::IsError => causes.push(("", Reason::Invalid.name())),
            }
        }
        Example::judged("errors", ASSERTS, json!({ "n": number, "text": "x" }), causes)
    });
}

/// The expression of a message is not evaluated if its rule cannot be: one that costs too much would end everything.
fn dear_messages(plan: &mut Plan) {
    let text = json!({ "type": "string", "maxLength": 5 });
    let message = format!("{} ? 'a' : 'b'", SQUARE.replace("self", "self.l"));
    let entry = extended(forbidding("self.absent == 'x'", "stated"), &json!({ "messageExpression": message }));
    let node = object_of(json!({ "l": integers(DEAR[0]), "absent": text }));
    let causes = [Cause::new("", Reason::Invalid.name()), forbidden("")];
    let refused = Example::refused("dear-messages", ASSERTS, json!({ "l": zeros(DEAR[0]) }), causes);
    plan.in_one_schema([Row::new(with_rules(node, [entry, forbidding("false", "stated")])).with([refused])]);
}
