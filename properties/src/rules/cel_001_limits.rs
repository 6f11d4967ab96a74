//! CEL-001: how long and how deeply nested a rule may be.

use super::shared::{CHECKING, SINGLE, of_rule, ruled, try_piece};
use crate::prelude::*;

const FITS: &[&str] = &["CEL-001/e2"];
const EXCEEDS: &[&str] = &["CEL-001/e3"];

pub(super) const PROPERTY: Property = Property::new("cel-001-limits", plan)
    .title("a rule may have 100,000 characters, 249 levels of parentheses, 250 terms, and any number of ||")
    .asserts(&["CEL-001/e2", "CEL-001/e3"])
    .needs(CHECKING)
    .edges(&[Edge { name: "limits", plan: limits }]);

/// A form of rules of any size.
struct Form {
    name: &'static str,
    /// The rule of this size.
    text: fn(usize) -> String,
    /// The greatest size, if there is one.
    most: Option<usize>,
}

/// How many parts are tried of what has no limit.
const MANY: usize = 3000;
/// How many levels of lists are drawn that fit: kube-apiserver takes the third power of their number, and for 249, which
/// the edge has, seconds.
const LISTS: usize = 60;

const FORMS: [Form; 10] = [
    Form { name: "parentheses", text: |n| format!("{}true{}", "(".repeat(n), ")".repeat(n)), most: Some(249) },
    Form { name: "lists", text: |n| format!("{}1{}.size() == 1", "[".repeat(n), "]".repeat(n)), most: Some(249) },
    Form { name: "terms", text: |n| format!("{} > 0", vec!["1"; n].join(" + ")), most: Some(250) },
    Form { name: "calls", text: |n| format!("self{} == ''", ".trim()".repeat(n)), most: Some(249) },
    Form { name: "ternaries", text: |n| format!("{}true", "true ? true : ".repeat(n)), most: Some(249) },
    Form { name: "or", text: |n| vec!["true"; n].join(" || "), most: None },
    Form { name: "and", text: |n| vec!["self != ''"; n].join(" && "), most: None },
    Form { name: "not", text: |n| format!("{}true", "!".repeat(n)), most: None },
    Form { name: "minus", text: |n| format!("{}1 < 5", "-".repeat(n)), most: None },
    Form { name: "characters", text: |n| sized("'", n), most: Some(100_000) },
];

/// A rule of this many characters of two bytes each, as far as possible.
fn sized(quote: &str, characters: usize) -> String {
    let around = format!("self == {quote}");
    let rest = characters.saturating_sub(around.len() + quote.len());
    format!("{around}{}{quote}", "é".repeat(rest))
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("piece", 1, 3, |choices, _| {
        let form = choices.pick(&FORMS);
        let (size, fits) = match form.most {
            None => (1 + choices.amount(MANY as u64, &[249, 250, 251]), true),
            // Long texts are for the edge: only there it matters how long exactly.
            Some(most) if most > MANY => (20 + choices.draw(200), true),
            Some(most) if choices.chance(1, 2) => {
                let most = if form.name == "lists" { LISTS } else { most } as u64;
                (most - choices.amount(most - 1, &[]), true)
            }
            Some(most) => (most as u64 + 1 + choices.amount(300, &[]), false),
        };
        let piece = piece(form, usize::try_from(size).unwrap_or(1), fits);
        try_piece(plan, choices, &SINGLE, &piece);
    });
}

fn limits(plan: &mut Plan) {
    for form in &FORMS {
        piece(form, form.most.unwrap_or(MANY), true).try_at(plan, &Place::spec());
        if let Some(most) = form.most {
            piece(form, most + 1, false).try_at(plan, &Place::spec());
        }
    }
}

fn piece(form: &Form, size: usize, fits: bool) -> Piece {
    let node = ruled(json!({ "type": "string", "maxLength": 3 }), &(form.text)(size));
    let causes = if fits { vec![] } else { vec![of_rule(0, "rule", Reason::Invalid)] };
    Piece::new(form.name, if fits { FITS } else { EXCEEDS }, node, causes)
}
