//! CEL-001 and CRDVAL-059: rules compile to a boolean, and each faulty one is reported.

use super::shared::{CHECKING, SINGLE, of_rule, rule, try_piece, with_rules};
use crate::prelude::*;
use crate::shared::PIECES;

const ASSERTS: &[&str] = &["CEL-001", "CRDVAL-059"];

pub(super) const PROPERTY: Property = Property::new("cel-001-rules-compile", plan)
    .title("a definition is accepted if each rule compiles to a boolean; each that does not is reported")
    .asserts(ASSERTS)
    .needs(CHECKING);

/// Rules of a string that compile.
const RIGHT: [&str; 7] = [
    "true",
    "self == 'a'",
    "self.size() > 3 || self.startsWith('x')",
    "  self != ''  ",
    "self in ['a', 'b']",
    "1 / 0 == 1",
    "'x'.matches(self)",
];
/// Rules of a string that do not.
const WRONG: [&str; 10] = [
    "self",
    "self.size()",
    "dyn(true)",
    "self == 1",
    "self.unknown == 1",
    "unknown",
    "self ==",
    "self.notThere()",
    "int('x') == 1",
    "true ? true : uint(-1) == 1u",
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let rules: Vec<(&str, bool)> = choices.many("rule", 1, 5, |choices, _| {
            let is_right = choices.chance(1, 2);
            (*choices.pick(if is_right { &RIGHT[..] } else { &WRONG[..] }), is_right)
        });
        let wrong = rules.iter().enumerate().filter(|(_, (_, is_right))| !is_right);
        let causes: Vec<Cause> = wrong.map(|(index, _)| of_rule(index, "rule", Reason::Invalid)).collect();
        let blank = choices.chance(1, 8);
        let mut entries: Vec<Value> = rules.iter().map(|(text, _)| rule(text)).collect();
        let mut causes = causes;
        if blank {
            causes.push(of_rule(entries.len(), "rule", Reason::Required));
            let text = *choices.pick(&["", " ", "\t\n"]);
            entries.push(rule(text));
        }
        // What is missing keeps the other rules of the node from being compiled (CEL-009).
        if blank {
            causes.retain(|cause| cause.reason == Reason::Required.name());
        }
        let piece = Piece::new("rules", ASSERTS, with_rules(json!({ "type": "string" }), entries), causes);
        try_piece(plan, choices, &SINGLE, &piece);
    });
}
