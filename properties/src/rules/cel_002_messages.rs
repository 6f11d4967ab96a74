//! CEL-002: a message has one line and is not blank, and a rule of several lines needs one.

use super::shared::{CHECKING, PLACES, of_rule, try_piece, with_rules};
use crate::prelude::*;
use crate::shared::PIECES;

const ASSERTS: &[&str] = &["CEL-002", "CEL-002/e1"];

pub(super) const PROPERTY: Property = Property::new("cel-002-messages", plan)
    .title("a message is one line that is not blank, and a rule with line breaks needs a message")
    .asserts(ASSERTS)
    .needs(CHECKING)
    .edges(&[Edge { name: "combinations", plan: combinations }]);

/// Rules, and what is wrong with their text.
const TEXTS: [(&str, Text); 9] = [
    ("true", Text::OneLine),
    ("\ntrue\r\n", Text::OneLine),
    ("true\n&& true", Text::Lines),
    ("true\r|| true", Text::Lines),
    ("// why\ntrue", Text::Lines),
    ("", Text::Blank),
    (" \n\t", Text::Blank),
    ("unknown", Text::Wrong),
    ("true\n&& unknown", Text::WrongLines),
];

/// What a rule's text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    OneLine,
    Lines,
    Blank,
    Wrong,
    WrongLines,
}

/// Messages; each is set and one line, set and faulty, or unset.
const MESSAGES: [(Option<&str>, Message); 14] = [
    (None, Message::Unset),
    (Some(""), Message::Unset),
    (Some("must hold"), Message::Fine),
    (Some("  must hold "), Message::Fine),
    (Some("\nmust hold\r\n"), Message::Fine),
    (Some("must \u{2028} hold"), Message::Fine),
    (Some("'é' \"x\" {} %s"), Message::Fine),
    (Some(" "), Message::Faulty),
    (Some("\n"), Message::Faulty),
    (Some("\t \u{a0}"), Message::Faulty),
    (Some("must\nhold"), Message::Faulty),
    (Some("must\rhold"), Message::Faulty),
    (Some("must\r\nhold"), Message::Faulty),
    (Some(" must\n\nhold\n"), Message::Faulty),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Message {
    Unset,
    Fine,
    Faulty,
}

type Chosen = ((&'static str, Text), (Option<&'static str>, Message), bool);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, PIECES, |choices, _| {
        let rules = choices
            .many("rule", 1, 4, |choices, _| (*choices.pick(&TEXTS), *choices.pick(&MESSAGES), choices.chance(1, 4)));
        try_piece(plan, choices, &PLACES, &piece(&rules));
    });
}

/// Each text with each message.
fn combinations(plan: &mut Plan) {
    for text in TEXTS {
        let rules: Vec<Chosen> = MESSAGES.map(|message| (text, message, false)).into();
        piece(&rules).try_at(plan, &Place::spec());
    }
}

fn piece(rules: &[Chosen]) -> Piece {
    let (mut of_form, mut of_text) = (Vec::new(), Vec::new());
    for (index, ((_, text), (_, message), _)) in rules.iter().enumerate() {
        let is_long = matches!(text, Text::Lines | Text::WrongLines);
        match (text, message) {
            (Text::Blank, _) => of_form.push(of_rule(index, "rule", Reason::Required)),
            (_, Message::Faulty) => of_form.push(of_rule(index, "message", Reason::Invalid)),
            (_, Message::Unset) if is_long => of_form.push(of_rule(index, "message", Reason::Required)),
            (Text::Wrong | Text::WrongLines, _) => of_text.push(of_rule(index, "rule", Reason::Invalid)),
            _ => {}
        }
    }
    // Faults of form keep all rules of the node from being compiled (CEL-009).
    let causes = if of_form.is_empty() { of_text } else { of_form };
    let entries = rules.iter().map(|((text, _), (message, _), has_expression)| {
        let mut entry = json!({ "rule": text });
        if let Some(message) = message {
            entry["message"] = json!(message);
        }
        // It does not replace a message.
        if *has_expression {
            entry["messageExpression"] = json!("'must hold'");
        }
        entry
    });
    Piece::new("messages", ASSERTS, with_rules(json!({ "type": "string" }), entries), causes)
}
