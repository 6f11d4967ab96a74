//! CEL-026: expressions of `matches` are those of RE2 and match anywhere; times are those of UTC.

use crdible_generators::pattern;
use crdible_semantics::Pattern;

use super::shared::{Known, SINGLE, Table, known, literal, ruled};
use crate::prelude::*;
use crate::shared::{alone, refused};

const ASSERTS: &[&str] = &["CEL-026"];

pub(super) const PROPERTY: Property = Property::new("cel-026-regexes", plan)
    .title("rules match regular expressions of RE2 anywhere in a text, and read times in UTC")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::DefinitionValidation, Capability::Rules])
    .edges(&[
        Edge { name: "syntax", plan: syntax },
        Edge { name: "not-re2", plan: not_re2 },
        Edge { name: "not-fixed", plan: not_fixed },
    ]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let written = choices.span("node", pattern::pattern);
    let is_method = choices.span("way", |choices| choices.chance(3, 4));
    let text = literal(&written);
    let rule = if is_method { format!("self.matches({text})") } else { format!("matches(self, {text})") };
    let node = ruled(json!({ "type": "string", "maxLength": 1000 }), &rule);
    let parsed = Pattern::parse(&written).ok();
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &node, |choices| {
        let is_missed = choices.chance(1, 2);
        let text = parsed.as_ref().and_then(|pattern| {
            let missed = is_missed.then(|| pattern::near_miss(choices, pattern)).flatten();
            missed.map(|text| (text, true)).or_else(|| pattern::matching(choices, pattern).map(|text| (text, false)))
        });
        match text {
            Some((text, _)) if text.chars().count() > 1000 => {
                Example::refused("too-long", ASSERTS, json!(text), [Cause::new("", "TooLong"), Cause::from(NIL)])
            }
            Some((text, true)) => Example::refused("near-miss", ASSERTS, json!(text), [("", "Invalid")]),
            Some((text, false)) => Example::kept("match", ASSERTS, json!(text)),
            None => {
                Example::refused("no-text", ASSERTS, json!(true), [Cause::new("", "TypeInvalid"), Cause::from(NIL)])
            }
        }
    });
}

/// An expression, what it matches, and what it does not.
type Match = (&'static str, &'static [&'static str], &'static [&'static str]);

const MATCHES: [Match; 16] = [
    ("b", &["abc", "b"], &["ac", "B", ""]),
    ("^b$", &["b"], &["abc", "b\n", "\nb"]),
    ("(?m)^b$", &["b", "a\nb\nc"], &["ab"]),
    ("a.c", &["abc", "aéc", "a𝄞c"], &["a\nc", "ac"]),
    ("(?s)a.c", &["a\nc"], &["ac"]),
    ("(?i)ab", &["AB", "xaBx"], &["b"]),
    ("^\\d+$", &["09"], &["٣", "", "1a"]),
    ("^\\w$", &["a", "_", "9"], &["é", "-"]),
    ("^\\s$", &[" ", "\t"], &["\u{a0}", "\u{b}"]),
    ("^\\pL+$", &["aé", "漢"], &["1", ""]),
    ("^[[:alpha:]]+$", &["aZ"], &["é"]),
    ("^(?P<name>a)b$", &["ab"], &["aab"]),
    ("^a{2,3}$", &["aa", "aaa"], &["a", "aaaa"]),
    ("^[^a]$", &["b", "\n", "é"], &["a", ""]),
    ("\\bx\\b", &["a x b", "x"], &["ax"]),
    ("^\\Qa.b\\E$", &["a.b"], &["axb"]),
];

fn syntax(plan: &mut Plan) {
    let matches =
        |(text, holds, fails): &Match| known(format!("self.matches({})", literal(text)), json!(holds), json!(fails));
    let mut rules: Vec<Known> = MATCHES.iter().map(matches).collect();
    rules.push(known("self.find('a+') == 'aa'", json!(["baab", "aaba"]), json!(["ab", ""])));
    Table::new(json!({ "type": "string", "maxLength": 20 }), rules).try_all(plan, ASSERTS);
    let rules = [
        known("self.getHours() == 22", json!(["2020-01-01T23:30:00+01:00"]), json!(["2020-01-01T22:30:00+01:00"])),
        known("self.getDate() == 1", json!(["2020-01-02T00:30:00+01:00"]), json!(["2020-01-01T23:30:00-01:00"])),
    ];
    Table::new(json!({ "type": "string", "format": "date-time" }), rules).try_all(plan, ASSERTS);
}

/// The piece of a rule that is refused in a definition.
fn wrong(name: &'static str, rule: &str) -> Piece {
    let node = ruled(json!({ "type": "string", "maxLength": 20 }), rule);
    refused(name, ASSERTS, node, &[(".x-kubernetes-validations[0].rule", "Invalid")])
}

/// What other dialects have.
fn not_re2(plan: &mut Plan) {
    let texts = ["a(?=b)", "(?<!a)b", "(a)\\1", "a++", "(?>a)", "a{1001}", "(", "\\p{Nope}"];
    alone(plan, &texts.map(|text| wrong("not-re2", &format!("self.matches({})", literal(text)))));
}

/// No function has another value each time.
fn not_fixed(plan: &mut Plan) {
    let rules = [
        "now() > timestamp('2020-01-01T00:00:00Z')",
        "timestamp() > timestamp('2020-01-01T00:00:00Z')",
        "random() > 0.5",
        "rand() > 0.5",
        "uuid() == self",
        "uuidv4() == self",
    ];
    alone(plan, &rules.map(|rule| wrong("not-fixed", rule)));
}
