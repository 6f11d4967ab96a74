//! Text that a server or a user may have written, made harmless for a reader: nothing in it controls a terminal or the
//! direction of the text, and nothing is too long to be read.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::text::plural;

/// The most bytes of a text or a line that are shown: a megabyte is too long
/// to read, and the report in JSON has all of it.
pub(super) const MOST_BYTES: usize = 8_000;

/// Fields whose values are exact: they are shown as YAML or commands, which have their own escapes.
const EXACT: [&str; 9] =
    ["expected", "actual", "definitions", "objects", "requests", "second_requests", "scenario", "tape", "seed"];

/// A report or a part of one, in which every text but the exact ones is [`text`].
pub(super) fn visible<T: Serialize + DeserializeOwned + Clone>(of: &T) -> T {
    let Ok(mut value) = serde_json::to_value(of) else { return of.clone() };
    walk(&mut value);
    // Its form is the same as before, so it can be read back.
    serde_json::from_value(value).unwrap_or_else(|_| of.clone())
}

fn walk(value: &mut Value) {
    match value {
        Value::String(string) => {
            if let Cow::Owned(shown) = text(string) {
                *string = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(walk),
        Value::Object(fields) => {
            for (key, field) in fields.iter_mut().filter(|(key, _)| !EXACT.contains(&key.as_str())) {
                match field {
                    Value::String(signature) if key == "signature" => *signature = shorter_signature(signature),
                    field => walk(field),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A signature whose place is cut, so that it stays a signature.
fn shorter_signature(signature: &str) -> String {
    let parts = || {
        let (property, rest) = signature.split_once(':')?;
        let (check, rest) = rest.split_once(':')?;
        let (place, reason) = rest.rsplit_once(':')?;
        let short = |part| escaped(cut(part, MOST_BYTES / 4).0).into_owned();
        Some([property, check, place, reason].map(short).join(":"))
    };
    parts().unwrap_or_else(|| text(signature).into_owned())
}

/// The text with control characters as escapes, such as `\u{1b}`, and cut if it is very long.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST_BYTES {
        return escaped(text);
    }
    let (shown, rest) = cut(text, MOST_BYTES);
    Cow::Owned(format!("{}{}", escaped(shown), missing(rest)))
}

/// The text with control characters as escapes; tabs and line ends stay. A text that CI servers would read as a command
/// at the beginning of a line (`::error::`) has an escape, too.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) && !has_command(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let is_command = is_command(line);
        for (position, character) in line.char_indices() {
            let begins_command = match character {
                ':' => is_command && line[..position].trim_start().is_empty(),
                '#' => line[position..].starts_with("##["),
                _ => false,
            };
            if begins_command || is_invisible(character) {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
            } else {
                shown.push(character);
            }
        }
    }
    Cow::Owned(shown)
}

/// Whether CI servers would read some line of a text as a command.
pub(super) fn has_command(text: &str) -> bool {
    text.contains("##[") || text.lines().any(is_command)
}

fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::")
}

/// Control characters, those that change the direction of text or take no space, and those that no document may have.
pub(super) fn is_invisible(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        // Noncharacters, which no XML may have.
        _ => matches!(u32::from(character) & 0xffff, 0xfffe | 0xffff),
    }
}

/// The longest prefix of at most `most` bytes, and how many bytes are left.
pub(super) fn cut(text: &str, most: usize) -> (&str, usize) {
    let end = (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    (&text[..end], text.len() - end)
}

/// What follows a text that was cut.
pub(super) fn missing(bytes: usize) -> String {
    format!("… ({bytes} more bytes, not shown)")
}

/// At most `most_lines` lines of at most [`MOST_BYTES`] bytes each, and
/// `most_bytes` bytes in all; it says how much is missing.
pub(super) fn excerpt(text: &str, most_lines: usize, most_bytes: usize) -> String {
    let mut short = String::new();
    let mut shown = 0;
    for line in text.lines().take(most_lines) {
        let left = most_bytes.saturating_sub(short.len());
        if left == 0 {
            break;
        }
        let (beginning, rest) = cut(line, MOST_BYTES.min(left));
        short.push_str(beginning);
        if rest > 0 {
            if line.contains(ESCAPE) {
                short.push_str(RESET);
            }
            short.push_str(&missing(rest));
        }
        short.push('\n');
        shown += 1;
    }
    let more = text.lines().count() - shown;
    if more > 0 {
        let _ = writeln!(short, "… ({}, not shown)", plural(more as u64, "more line"));
    }
    short
}

/// What begins a colour, and what ends it: a line that is cut has lost its end.
const ESCAPE: char = '\u{1b}';
const RESET: &str = "\u{1b}[0m";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rstest::rstest;

    use super::{excerpt, text, visible};
    use crate::sample::{KNOWN, eventful, fold};

    #[rstest]
    #[case::plain("a\n\tb é 日本", "a\n\tb é 日本")]
    #[case::colour("\u{1b}[31m", "\\u{1b}[31m")]
    #[case::nul_and_carriage_return("a\0\r\n", "a\\u{0}\\u{d}\n")]
    #[case::direction("\u{202e}abc\u{2066}", "\\u{202e}abc\\u{2066}")]
    #[case::commands("a\n ::error::b ::\n::x ##[add", "a\n \\u{3a}:error::b ::\n\\u{3a}:x \\u{23}#[add")]
    #[case::no_character("\u{ffff}\u{1fffe}", "\\u{ffff}\\u{1fffe}")]
    fn control_characters_are_shown(#[case] given: &str, #[case] expected: &str) {
        assert_eq!(text(given), expected);
    }

    #[test]
    fn a_long_text_is_cut() {
        assert!(text(&"é".repeat(500_000)).ends_with("é… (992000 more bytes, not shown)"));
    }

    #[test]
    fn an_ordinary_report_stays_as_it_is() {
        let mut journal = eventful();
        journal.header.run.seed = u64::MAX;
        let report = fold(&journal, KNOWN);
        assert_eq!(visible(&report), report);
    }

    #[test]
    fn texts_are_changed_and_exact_values_are_not() {
        let mut journal = eventful();
        journal.findings[0].failure.summary = "\u{1b}[31mred".to_owned();
        journal.findings[0].failure.actual = serde_json::json!({"a": "\u{1b}"});
        let report = visible(&fold(&journal, ""));
        let failure = report.failures.iter().map(|one| &one.failure).find(|one| one.summary.contains("red")).unwrap();
        assert_eq!((failure.summary.as_str(), &failure.actual["a"]), ("\\u{1b}[31mred", &"\u{1b}".into()));
    }

    #[rstest]
    #[case::short("a\nb\n", "a\nb\n")]
    #[case::many_lines(&"a\n".repeat(302), &format!("{}… (2 more lines, not shown)\n", "a\n".repeat(300)))]
    #[case::a_long_line(&"é".repeat(5000), &format!("{}… (2000 more bytes, not shown)\n", "é".repeat(4000)))]
    #[case::many_bytes(
        &format!("{}\n", "a".repeat(59)).repeat(290),
        &format!("{}… (90 more lines, not shown)\n", format!("{}\n", "a".repeat(59)).repeat(200))
    )]
    #[case::in_colour(
        &format!("\u{1b}[31m{}\u{1b}[0m", "a".repeat(8000)),
        &format!("\u{1b}[31m{}\u{1b}[0m… (9 more bytes, not shown)\n", "a".repeat(7995))
    )]
    #[case::nothing("", "")]
    fn what_is_too_long_is_cut(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(excerpt(text, 300, 12_000), expected);
    }
}
