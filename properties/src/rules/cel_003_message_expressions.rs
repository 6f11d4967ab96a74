//! CEL-003: the expression of a message compiles to a string.

use super::shared::{CHECKING, PLACES, of_rule, spelled, try_piece, with_rules};
use crate::prelude::*;
use crate::shared::PIECES;

const ASSERTS: &[&str] = &["CEL-003", "CEL-003/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-003-message-expressions", plan)
    .title("the expression of a message must compile to a string, unless its rule does not compile")
    .asserts(ASSERTS)
    .needs(CHECKING)
    .edges(&[Edge { name: "each", plan: each }]);

/// Expressions of a string that compile to a string. Some use `oldSelf`, which rules in lists may not (CEL-006).
const RIGHT: [&str; 9] = [
    "'must hold'",
    "self",
    "'a ' + self",
    "'a\\n' +\n\tself",
    "oldSelf",
    "string(self.size())",
    "'%s is wrong'.format([self])",
    "self == '' ? 'a' : oldSelf",
    "optional.of('x').orValue('y')",
];
/// Expressions that do not.
const WRONG: [&str; 13] = [
    "1",
    "true",
    "self == 'a'",
    "self.size()",
    "dyn('a')",
    "null",
    "[self]",
    "bytes(self)",
    "optional.of(self)",
    "type(self)",
    "unknown",
    "self +",
    "int('x') == 1 ? 'a' : 'b'",
];
const BLANK: [&str; 3] = [" ", "\n", "\t \r\n"];

/// A rule, and the expression of its message.
struct Chosen {
    is_right: bool,
    expression: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Right,
    Wrong,
    Blank,
    /// The empty text is the same as no expression.
    Unset,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let rules = choices.many("rule", 1, 4, |choices, _| {
            let is_right = choices.chance(3, 4);
            let (expression, kind) = match choices.weighted(&[4, 4, 1, 1]) {
                0 => (drawn(choices, &RIGHT), Kind::Right),
                1 => (drawn(choices, &WRONG), Kind::Wrong),
                2 => ((*choices.pick(&BLANK)).to_owned(), Kind::Blank),
                _ => (String::new(), Kind::Unset),
            };
            Chosen { is_right, expression, kind }
        });
        try_piece(plan, choices, &PLACES, &piece(&rules));
    });
}

fn drawn(choices: &mut Choices, texts: &[&str]) -> String {
    let text = *choices.pick(texts);
    spelled(choices, text)
}

fn each(plan: &mut Plan) {
    let kinds = [(&RIGHT[..], Kind::Right), (&WRONG[..], Kind::Wrong), (&BLANK[..], Kind::Blank)];
    for is_right in [true, false] {
        for (texts, kind) in kinds {
            let chosen = |text: &&str| Chosen { is_right, expression: (*text).to_owned(), kind };
            let rules: Vec<Chosen> = texts.iter().map(chosen).collect();
            piece(&rules).try_at(plan, &Place::in_spec(&[Container::List]));
        }
    }
}

fn piece(rules: &[Chosen]) -> Piece {
    let (mut of_form, mut of_texts) = (Vec::new(), Vec::new());
    for (index, chosen) in rules.iter().enumerate() {
        match (chosen.is_right, chosen.kind) {
            (_, Kind::Blank) => of_form.push(of_rule(index, "messageExpression", Reason::Required)),
            (false, _) => of_texts.push(of_rule(index, "rule", Reason::Invalid)),
            (true, Kind::Wrong) => of_texts.push(of_rule(index, "messageExpression", Reason::Invalid)),
            (true, _) => {}
        }
    }
    // Faults of form keep all rules of the node from being compiled (CEL-009).
    let causes = if of_form.is_empty() { of_texts } else { of_form };
    let entries = rules.iter().map(|chosen| {
        let rule = if chosen.is_right { "true" } else { "unknown" };
        json!({ "rule": rule, "messageExpression": chosen.expression })
    });
    Piece::new("expressions", ASSERTS, with_rules(json!({ "type": "string" }), entries), causes)
}
