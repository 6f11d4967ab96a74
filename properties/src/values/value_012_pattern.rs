//! VALUE-012: patterns are Go regular expressions, and are not anchored.

use crdible_generators::pattern;
use crdible_semantics::Pattern;

use super::shared::JUDGING;
use crate::prelude::*;

const SEARCH: &[&str] = &["VALUE-012"];
const SYNTAX: &[&str] = &["VALUE-012", "VALUE-012/e1"];

pub(super) const PROPERTY: Property = Property::new("value-012-pattern", plan)
    .title("a string is accepted if, and only if, the pattern matches somewhere in it, by the syntax of RE2")
    .asserts(SYNTAX)
    .needs(JUDGING)
    .edges(&[Edge { name: "search", plan: search }, Edge { name: "syntax", plan: syntax }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    if choices.chance(1, 4) {
        return lines(plan, choices);
    }
    let written = choices.span("node", pattern::pattern);
    let node = json!({ "type": "string", "pattern": written });
    let parsed = Pattern::parse(&written).ok();
    plan.at_any_place(choices, &node, |choices| {
        let is_missed = choices.chance(1, 2);
        let text = parsed.as_ref().and_then(|pattern| {
            let missed = is_missed.then(|| pattern::near_miss(choices, pattern)).flatten();
            missed.map(|text| (text, true)).or_else(|| pattern::matching(choices, pattern).map(|text| (text, false)))
        });
        match text {
            Some((text, true)) => Example::refused("near-miss", SEARCH, json!(text), [("", "Invalid")]),
            Some((text, false)) => Example::kept("match", SEARCH, json!(text)),
            None => Example::refused("no-text", SEARCH, json!(true), [("", "TypeInvalid")]),
        }
    })
}

/// Anchors and newlines: without `(?m)` they match only the ends of the string, and a final newline is not ignored.
fn lines(plan: &mut Plan, choices: &mut Choices) {
    const WORD: &str = "ab";
    let (begin, end, by_line) =
        choices.span("node", |choices| (choices.chance(2, 3), choices.chance(2, 3), choices.chance(1, 3)));
    let mark = |is_there: bool, text: &'static str| if is_there { text } else { "" };
    let pattern = format!("{}{}{WORD}{}", mark(by_line, "(?m)"), mark(begin, "^"), mark(end, "$"));
    plan.at_any_place(choices, &json!({ "type": "string", "pattern": pattern }), |choices| {
        let around = ["", "\n", "x", "x\n", "\nx"];
        let (before, behind) = (*choices.pick(&around), *choices.pick(&around));
        let begins = !begin || before.is_empty() || by_line && before.ends_with('\n');
        let ends = !end || behind.is_empty() || by_line && behind.starts_with('\n');
        let causes = if begins && ends { vec![] } else { vec![("", "Invalid")] };
        Example::judged("lines", SYNTAX, json!(format!("{before}{WORD}{behind}")), causes)
    })
}

type Match = (&'static str, &'static [&'static str], &'static [&'static str]);

fn table(plan: &mut Plan, rows: &[Match], asserts: &'static [&'static str]) {
    let of_row = |(pattern, matching, missing): &Match| {
        let kept = matching.iter().map(|text| Example::kept("match", asserts, json!(text)));
        let refused = missing.iter().map(|text| Example::refused("miss", asserts, json!(text), [("", "Invalid")]));
        Row::new(json!({ "type": "string", "pattern": pattern })).with(kept.chain(refused))
    };
    plan.in_one_schema(rows.iter().map(of_row))
}

fn search(plan: &mut Plan) {
    let rows: &[Match] = &[
        ("b", &["b", "abc", "\nb"], &["", "a", "B"]),
        ("^b", &["bc"], &["ab", "a\nb"]),
        ("b$", &["ab"], &["ba", "ab\n", "b\na"]),
        ("^$", &[""], &["a", "\n"]),
        ("a|^b$", &["xax", "b"], &["bb", ""]),
        ("", &["", "x"], &[]),
    ];
    table(plan, rows, SEARCH)
}

fn syntax(plan: &mut Plan) {
    let rows: &[Match] = &[
        ("(?m)^b$", &["a\nb\nc"], &["ab"]),
        ("^.$", &["a", "é", "😀", "\r"], &["", "\n", "ab", "e\u{301}"]),
        ("(?s)^.$", &["\n"], &["ab"]),
        (r"^\d$", &["7"], &["٣", "x"]),
        (r"^\w$", &["a", "_"], &["é", "-"]),
        (r"^\s$", &[" ", "\t", "\u{c}"], &["\u{b}", "\u{a0}", "a"]),
        (r"^\pL$", &["é", "漢"], &["1"]),
        ("^[[:alpha:]]$", &["Z"], &["é", "1"]),
        (r"^\x{1F600}$", &["😀"], &["😁"]),
        (r"^\Qa.b\E$", &["a.b"], &["axb"]),
        (r"\Ab\z", &["b"], &["b\n", "ab"]),
        ("^a{3}$", &["aaa"], &["aa", "aaaa"]),
        ("^(?i)k$", &["K", "k", "\u{212A}"], &["x"]),
        ("^[^a]$", &["b", "\n"], &["a"]),
    ];
    table(plan, rows, SYNTAX)
}
