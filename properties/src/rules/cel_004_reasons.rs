//! CEL-004: the reason of a rule is one of four.

use super::shared::{CHECKING, PLACES, of_rule, try_piece, with_rules};
use crate::prelude::*;
use crate::shared::PIECES;

const ASSERTS: &[&str] = &["CEL-004"];

pub(super) const PROPERTY: Property = Property::new("cel-004-reasons", plan)
    .title("a rule may have one of four reasons, and no other")
    .asserts(ASSERTS)
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: |plan| piece(&each()).try_at(plan, &Place::spec()) }]);

const KNOWN: [&str; 4] = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];
const UNKNOWN: [&str; 12] = [
    "",
    " ",
    "Invalid",
    "Forbidden",
    "Required",
    "Duplicate",
    "FieldValueTooLong",
    "FieldValueTypeInvalid",
    "FieldValueNotFound",
    "fieldvalueinvalid",
    " FieldValueInvalid",
    "FieldValueInvalid\n",
];

/// A rule, right or not, and its reason, known or not.
type Chosen = (bool, Option<(&'static str, bool)>);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let rules = choices.many("rule", 1, 4, |choices, _| {
            let is_right = choices.chance(3, 4);
            let reason = match choices.weighted(&[1, 2, 2]) {
                0 => None,
                1 => Some((*choices.pick(&KNOWN), true)),
                _ => Some((*choices.pick(&UNKNOWN), false)),
            };
            (is_right, reason)
        });
        try_piece(plan, choices, &PLACES, &piece(&rules));
    });
}

fn each() -> Vec<Chosen> {
    let known = KNOWN.into_iter().map(|reason| (true, Some((reason, true))));
    known.chain(UNKNOWN.into_iter().map(|reason| (true, Some((reason, false))))).collect()
}

fn piece(rules: &[Chosen]) -> Piece {
    let at = |is_faulty: fn(&Chosen) -> bool, member, reason| {
        let faulty = rules.iter().enumerate().filter(move |(_, chosen)| is_faulty(chosen));
        faulty.map(|(index, _)| of_rule(index, member, reason)).collect::<Vec<Cause>>()
    };
    let of_reasons = at(|(_, reason)| matches!(reason, Some((_, false))), "reason", Reason::NotSupported);
    // A faulty reason keeps all rules of the node from being compiled (CEL-009).
    let causes =
        if of_reasons.is_empty() { at(|(is_right, _)| !is_right, "rule", Reason::Invalid) } else { of_reasons };
    let entries = rules.iter().map(|(is_right, reason)| {
        let mut entry = json!({ "rule": if *is_right { "true" } else { "unknown" } });
        if let Some((reason, _)) = reason {
            entry["reason"] = json!(reason);
        }
        entry
    });
    Piece::new("reasons", ASSERTS, with_rules(json!({ "type": "string" }), entries), causes)
}
