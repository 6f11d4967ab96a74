//! CEL-042: the evaluation of one expression has a budget, and no rule is evaluated after one that exceeds it.

use super::{
    costs::{DEAR, SQUARE, cheap, integers, zeros},
    shared::{JUDGING, SINGLE, forbidden, forbidding, rule, with_rules},
};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-042"];

pub(super) const PROPERTY: Property = Property::new("cel-042-evaluation-budget", plan)
    .title("one evaluation that costs too much gives an Invalid cause, and no further rule is evaluated")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// A rule of the list that is dear if the list is long, and one that is always false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Dear,
    /// Its message is dear. If it is, that replaces the cause of the rule.
    DearMessage,
    False,
    True,
}

const KINDS: [Kind; 5] = [Kind::False, Kind::Dear, Kind::DearMessage, Kind::False, Kind::True];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (kinds, below_is_false, has_path) = choices.span("node", |choices| {
        let kinds = choices.many("rule", 1, 4, |choices, _| *choices.pick(&KINDS));
        (kinds, choices.chance(1, 2), choices.chance(1, 2))
    });
    let list = SQUARE.replace("self", "self.l");
    let entry = |kind: &Kind| {
        let mut entry = match kind {
            Kind::Dear => rule(&list),
            Kind::DearMessage => {
                let mut entry = forbidding("false", "stated");
                entry["messageExpression"] = json!(format!("{list} ? 'computed' : 'never'"));
                entry
            }
            Kind::False => forbidding("false", "stated"),
            Kind::True => rule("true"),
        };
        if has_path {
            entry["fieldPath"] = json!(".l");
        }
        entry
    };
    let mut below = integers(1000);
    if below_is_false {
        below = with_rules(below, [forbidding("false", "stated")]);
    }
    let node = with_rules(object_of(json!({ "l": below })), kinds.iter().map(entry));
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &node, |choices| {
        let is_dear = choices.chance(1, 16);
        let count = if is_dear { *choices.pick(&DEAR) } else { cheap(choices) };
        let path = if has_path { ".l" } else { "" };
        let (mut causes, mut is_over) = (Vec::new(), false);
        for kind in &kinds {
            match kind {
                Kind::Dear | Kind::DearMessage if is_dear => {
                    // Of a rule the cause is at the value, of a message at its path, too.
                    causes.push(Cause::new(if *kind == Kind::Dear { "" } else { path }, Reason::Invalid.name()));
                    is_over = true;
                    break;
                }
                Kind::Dear | Kind::True => {}
                Kind::False | Kind::DearMessage => causes.push(forbidden(path)),
            }
        }
        if below_is_false && !is_over {
            causes.push(forbidden(".l"));
        }
        Example::judged("budget", ASSERTS, json!({ "l": zeros(count) }), causes)
    });
}
