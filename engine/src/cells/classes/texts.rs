//! Strings, and the keywords that apply to them.

use crdible_generators::json::Json;
use crdible_semantics::{Format, Pattern};
use serde_json::Value;

use super::{Class, Found};

/// Which characters a text has.
pub(super) fn characters(found: &mut Found, text: &str) {
    found.add_if(text.is_empty(), Class::Empty);
    for (length, class) in [(1, Class::OneByte), (2, Class::TwoBytes), (3, Class::ThreeBytes), (4, Class::FourBytes)] {
        found.add_if(text.chars().any(|character| character.len_utf8() == length), class);
    }
}

/// A text under `minLength` or `maxLength`.
pub(super) fn length(found: &mut Found, name: &str, argument: &Value, value: &Json) {
    let (Json::String(text), Some(bound)) = (value, argument.as_i64()) else { return found.add(Class::OtherKind) };
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let length = count(text.chars().count());
    characters(found, text);
    distance(found, if name == "minLength" { length - bound } else { bound - length });
    found.add_if(length == bound && count(text.len()) != bound, Class::ManyBytes);
}

/// A count compared with a bound: how far inside it is.
pub(super) fn distance(found: &mut Found, inside: i64) {
    found.add(match inside {
        0 => Class::OnBound,
        1 => Class::OneInside,
        -1 => Class::OneOutside,
        2.. => Class::Inside,
        _ => Class::Outside,
    });
}

/// A text under `pattern`.
pub(super) fn pattern(found: &mut Found, argument: &Value, value: &Json) {
    let (Json::String(text), Some(pattern)) = (value, parsed(argument)) else { return found.add(Class::OtherKind) };
    found.add_if(text.is_empty(), Class::Empty);
    found.add(if pattern.is_match(text) { Class::Satisfying } else { Class::Violating });
}

/// Whether a text misses a pattern by one character: one too many, one too few, or one different.
pub(crate) fn just_missed(found: &mut Found, argument: &Value, value: Option<&Json>) {
    /// Longer texts have too many variants.
    const LONGEST: usize = 24;
    let (Some(Json::String(text)), Some(pattern)) = (value, parsed(argument)) else { return };
    let characters: Vec<char> = text.chars().collect();
    if characters.len() > LONGEST || pattern.is_match(text) {
        return;
    }
    let samples = "a0A-_. /x\u{e9}\u{6f22}\u{1f600}";
    let is_match = |characters: &[char]| pattern.is_match(&characters.iter().collect::<String>());
    let is_just_missed = (0..=characters.len()).any(|at| {
        let rest = characters.get(at + 1..).unwrap_or_default();
        let others = samples.chars().any(|other| {
            let inserted = [&characters[..at], &[other], &characters[at..]].concat();
            is_match(&inserted) || is_match(&[&characters[..at], &[other], rest].concat())
        });
        others || is_match(&[&characters[..at], rest].concat())
    });
    found.add_if(is_just_missed, Class::JustViolating);
}

fn parsed(argument: &Value) -> Option<Pattern> {
    Pattern::parse(argument.as_str()?).ok()
}

/// Whether a text has a format. The formats are those of the table of VALUE-015, which a separate test compares with
/// [`Format::accepts`].
pub(super) fn format(found: &mut Found, name: &str, text: &str) {
    if let Some(format) = Format::named(name) {
        found.add(if format.accepts(text) { Class::Satisfying } else { Class::Violating });
    } else {
        found.add(Class::OtherKind);
    }
}
