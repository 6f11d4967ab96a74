//! What matters to a failure: the smallest definition and objects with a sign before each line that was varied.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Style, quoted, visible, yaml};
use crate::journal::{VariedDocument, VariedPart, Weight};

/// A longer document is cut.
const MOST_LINES: usize = 400;
const MOST_BYTES: usize = 40_000;

/// The most examples of each kind that are shown, and their longest text in characters.
const EXAMPLES: usize = 3;
const LONGEST_EXAMPLE: usize = 40;

/// The sign before a line, and what it means.
const SIGNS: [(Weight, char, &str); 3] = [
    (Weight::Matters, '!', "matters: it fails no longer with anything else that was tried"),
    (Weight::Depends, '?', "some values fail, and others do not"),
    (Weight::Free, '~', "may be anything that was tried"),
];

fn sign(weight: Weight) -> char {
    SIGNS.iter().find(|(other, ..)| *other == weight).map_or(' ', |(_, sign, _)| *sign)
}

fn painted(weight: Weight, line: &str, style: Style) -> String {
    match weight {
        Weight::Matters => style.bad(line),
        Weight::Depends => style.warning(line),
        Weight::Free => style.faint(line),
    }
}

/// `fails: 1, 2; passes: 3, nothing`.
fn examples(part: &VariedPart) -> String {
    let of = |name: &str, others: &[Option<Value>]| {
        let short = others.iter().map(|other| other.as_ref().map_or("nothing".to_owned(), ToString::to_string));
        let short: Vec<String> = short.filter(|text| text.chars().count() <= LONGEST_EXAMPLE).take(EXAMPLES).collect();
        let more = if others.len() > short.len() && !short.is_empty() { ", …" } else { "" };
        (!short.is_empty()).then(|| format!("{name}: {}{more}", visible::escaped(&short.join(", "))))
    };
    let both: Vec<String> = of("fails", &part.failing).into_iter().chain(of("passes", &part.passing)).collect();
    if both.is_empty() { String::new() } else { format!("   # {}", both.join("; ")) }
}

/// Documents as YAML, with a sign before each line of a part that was varied, and what the signs
/// mean. Documents without varied parts are left out.
pub fn varied(documents: &[VariedDocument], style: Style) -> String {
    let mut text = String::new();
    for document in documents.iter().filter(|document| !document.parts.is_empty()) {
        let _ = write!(text, "\n{}\n{}", style.strong(&quoted(&document.title)), of_document(document, style));
    }
    let is_there =
        |weight: Weight| documents.iter().flat_map(|document| &document.parts).any(|part| part.weight() == weight);
    let signs = SIGNS.iter().filter(|(weight, ..)| is_there(*weight));
    let signs: Vec<String> = signs.map(|(_, sign, meaning)| format!("{sign} {meaning}\n")).collect();
    if signs.is_empty() { text } else { format!("{text}\n{}", signs.concat()) }
}

fn of_document(document: &VariedDocument, style: Style) -> String {
    let yaml = yaml::yaml(&document.content);
    let mut marks = vec![None; yaml.lines().count()];
    let mut parts: Vec<_> = document.parts.iter().collect();
    // Inner parts last: their signs replace those of the parts around them.
    parts.sort_by_key(|part| part.pointer.len());
    for part in parts {
        let lines = yaml::lines::lines_of(&document.content, &part.pointer);
        for (number, line) in lines.into_iter().flatten().enumerate() {
            if let Some(entry) = marks.get_mut(line) {
                *entry = Some((part, number == 0));
            }
        }
    }
    let shown = visible::excerpt(&yaml, MOST_LINES, MOST_BYTES);
    let lines = shown.lines().zip(marks.into_iter().chain(std::iter::repeat(None)));
    lines
        .map(|(line, mark)| match mark {
            Some((part, is_first)) => {
                let examples = if is_first { style.faint(&examples(part)) } else { String::new() };
                let weight = part.weight();
                format!("{}{examples}\n", painted(weight, &format!("{} {line}", sign(weight)), style))
            }
            None => format!("  {line}\n"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn segments(pointer: &str) -> Vec<String> {
        pointer.split('/').skip(1).map(str::to_owned).collect()
    }

    fn part(pointer: &str, failing: &[Value], passing: &[Option<Value>]) -> VariedPart {
        let failing = failing.iter().cloned().map(Some).collect();
        VariedPart { pointer: segments(pointer), failing, passing: passing.to_vec() }
    }

    #[test]
    fn each_line_has_the_sign_of_its_innermost_part() {
        let long = json!("x".repeat(41));
        let document = VariedDocument {
            title: "POST of an object\u{1b}[31m".to_owned(),
            content: json!({ "spec": { "a": { "b": 1, "c": "\u{202e}x" }, "list": [1, 2] } }),
            parts: vec![
                part("/spec/a", std::slice::from_ref(&long), &[]),
                part("/spec/a/b", &[], &[None, Some(json!("\u{202e}")), Some(long)]),
                part("/spec/list/1", &[json!(0), json!(1), json!(2), json!(3)], &[Some(json!([4]))]),
                part("/spec/missing", &[], &[None]),
            ],
        };
        let untouched = VariedDocument { parts: Vec::new(), ..document.clone() };
        let text = varied(&[document, untouched], Style::default());
        assert_eq!(
            text,
            "\nPOST of an object\\u{1b}[31m\n\
             \x20 spec:\n\
             ~   a:\n\
             !     b: 1   # passes: nothing, \"\\u{202e}\", …\n\
             ~     c: \"\\u202ex\"\n\
             \x20   list:\n\
             \x20   - 1\n\
             ?   - 2   # fails: 0, 1, 2, …; passes: [4]\n\
             \n\
             ! matters: it fails no longer with anything else that was tried\n\
             ? some values fail, and others do not\n\
             ~ may be anything that was tried\n"
        );
        assert_eq!(varied(&[], Style::default()), "");
    }
}
