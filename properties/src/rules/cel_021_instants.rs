//! CEL-021: rules see dates, times, durations and bytes as such, however they are written.

use super::shared::{SINGLE, ruled};
use crate::prelude::*;

const ASSERTS: &[&str] = &["CEL-021"];

pub(super) const PROPERTY: Property = Property::new("cel-021-instants", plan)
    .title("rules see dates, times, durations and bytes as what their text means, not as text")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Validation, Capability::Rules])
    .edges(&[Edge { name: "texts", plan: texts }, Edge { name: "wrong-formats", plan: wrong_formats }]);

fn format(name: &str) -> Value {
    json!({ "type": "string", "format": name })
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    match choices.draw(2) {
        0 => instants(plan, choices),
        1 => durations(plan, choices),
        _ => bytes(plan, choices),
    }
}

/// A rule that compares two values, and whether it holds.
type Comparison = (&'static str, fn(i64, i64) -> bool);

const COMPARISONS: [Comparison; 6] = [
    ("self.a == self.b", |a, b| a == b),
    ("self.a != self.b", |a, b| a != b),
    ("self.a < self.b", |a, b| a < b),
    ("self.a <= self.b", |a, b| a <= b),
    ("self.a > self.b", |a, b| a > b),
    ("self.a >= self.b", |a, b| a >= b),
];

fn judged(holds: bool, value: Value) -> Example {
    Example::judged("compared", ASSERTS, value, if holds { vec![] } else { vec![("", "Invalid")] })
}

/// Milliseconds after 11:00 of a day, as an instant at a drawn offset, which does not leave the day.
fn instant(choices: &mut Choices, after: i64) -> String {
    let quarters = choices.between(-40, 40);
    let (sign, ahead) = if quarters < 0 { ('-', -quarters) } else { ('+', quarters) };
    let minutes = 11 * 60 + quarters * 15 + after.div_euclid(60_000);
    let rest = after.rem_euclid(60_000);
    let (second, milli) = (rest / 1000, rest % 1000);
    let fraction = match milli {
        0 => String::new(),
        milli if milli % 100 == 0 && choices.chance(1, 2) => format!(".{}", milli / 100),
        milli => format!(".{milli:03}"),
    };
    let offset = match quarters {
        0 => "Z".to_owned(),
        _ => format!("{sign}{:02}:{:02}", ahead / 4, ahead % 4 * 15),
    };
    format!("2024-02-29T{:02}:{:02}:{second:02}{fraction}{offset}", minutes / 60, minutes % 60)
}

fn instants(plan: &mut Plan, choices: &mut Choices) {
    let (rule, holds) = choices.span("node", |choices| *choices.pick(&COMPARISONS));
    let node = object_of(json!({ "a": format("date-time"), "b": format("date-time") }));
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &ruled(node, rule), |choices| {
        let a = *choices.pick(&[0, 1000, 60_000, 100, 1]);
        let b = if choices.chance(1, 2) { a } else { *choices.pick(&[0, 1000, 60_000, 200, 2]) };
        judged(holds(a, b), json!({ "a": instant(choices, a), "b": instant(choices, b) }))
    });
}

/// A number of seconds in some way: as Go writes it, or in words.
fn duration(choices: &mut Choices, seconds: i64) -> String {
    let mut ways = vec![format!("{seconds}s"), format!("{}ms", seconds * 1000), format!("{seconds}.0s")];
    ways.push(format!("{}h{}m{}s", seconds / 3600, seconds / 60 % 60, seconds % 60));
    for (unit, of_unit) in [("minutes", 60), ("hours", 3600), ("days", 86_400)] {
        if seconds % of_unit == 0 {
            ways.push(format!("{} {unit}", seconds / of_unit));
        }
    }
    choices.pick(&ways).clone()
}

fn durations(plan: &mut Plan, choices: &mut Choices) {
    let (rule, holds) = choices.span("node", |choices| *choices.pick(&COMPARISONS));
    let node = object_of(json!({ "a": format("duration"), "b": format("duration") }));
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &ruled(node, rule), |choices| {
        let lengths = [60, 90, 3600, 86_400, 90_061];
        let a = *choices.pick(&lengths);
        let b = if choices.chance(1, 2) { a } else { *choices.pick(&lengths) };
        judged(holds(a, b), json!({ "a": duration(choices, a), "b": duration(choices, b) }))
    });
}

/// A text as bytes in base64.
fn encoded(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |bits: u32| char::from(DIGITS[(bits & 63) as usize]);
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            text.push(if place <= group.len() { digit(bits >> (18 - 6 * place)) } else { '=' });
        }
    }
    text
}

fn bytes(plan: &mut Plan, choices: &mut Choices) {
    let rule = choices.span("node", |choices| {
        *choices.pick(&["string(self.b) == self.s", "self.b == bytes(self.s)", "self.b.size() == self.n"])
    });
    let text = json!({ "type": "string", "maxLength": 20 });
    let node = object_of(json!({ "b": { "type": "string", "format": "byte" }, "s": text, "n": { "type": "integer" } }));
    let place = Place::draw(choices, &SINGLE);
    plan.at_place(choices, &place, &ruled(node, rule), |choices| {
        let letters = choices.many("letter", 1, 6, |choices, _| *choices.pick(&['a', '!', 'é', '~', '\u{3ff}', '𝄞']));
        let text: String = letters.into_iter().collect();
        // What has these digits cannot be read by kube-apiserver, which is a defect.
        let text = if encoded(text.as_bytes()).contains(['+', '/']) { "a".repeat(text.len()) } else { text };
        let is_right = choices.chance(2, 3);
        let (stated, size) = if is_right { (text.clone(), text.len()) } else { (format!("{text}x"), text.len() + 1) };
        judged(is_right, json!({ "b": encoded(text.as_bytes()), "s": stated, "n": size }))
    });
}

/// Texts of each format, and what they mean.
fn texts(plan: &mut Plan) {
    let row = |format_of: &str, rule: &str, holds: &[&str], fails: &[&str]| {
        let accepted = holds.iter().map(|text| Example::kept("holds", ASSERTS, json!(text)));
        let refused = fails.iter().map(|text| Example::refused("fails", ASSERTS, json!(text), [("", "Invalid")]));
        Row::new(ruled(format(format_of), rule)).with(accepted.chain(refused))
    };
    plan.in_one_schema([
        row("date", "self == timestamp('2024-02-29T00:00:00Z')", &["2024-02-29"], &["2024-02-28"]),
        row("date", "self.getDayOfWeek() == 4 && self.getHours() == 0", &["2024-02-29"], &["2024-02-28"]),
        row(
            "date-time",
            "self == timestamp('2024-02-29T00:00:00Z')",
            &["2024-02-29T00:00:00Z", "2024-02-28T19:00:00-05:00", "2024-02-29T00:00:00.000Z"],
            &["2024-02-29T00:00:00-05:00", "2024-02-29T00:00:00.001Z"],
        ),
        row("date-time", "self.getHours() == 0", &["2024-02-29T03:00:00+03:00"], &["2024-02-29T00:00:00+03:00"]),
        row("duration", "self == duration('48h')", &["48h", "2 days", "2880m", "172800s"], &["2 hours", "-48h", "48m"]),
        row("duration", "self.getSeconds() < 0", &["-1s"], &["1s", "-1ms"]),
        row("byte", "self == b'a?'", &["YT8="], &["YT4="]),
        row("byte", "self.size() == 1", &["AA=="], &["AAA="]),
    ]);
}

/// A value that is not of its format keeps all rules from being evaluated.
fn wrong_formats(plan: &mut Plan) {
    let causes = || [Cause::new("", "TypeInvalid"), Cause::from(NIL)];
    for (name, text) in [
        ("date", "2024-02-30"),
        ("date-time", "2024-02-29"),
        ("duration", "2 fortnights"),
        ("byte", "YT8"),
        ("byte", ""),
    ] {
        let refused = Example::refused("wrong-format", ASSERTS, json!(text), causes());
        plan.in_one_schema([Row::new(ruled(format(name), "self == self")).with([refused])]);
    }
}
