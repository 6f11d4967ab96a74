//! Chooses the style in which a text is written.

use super::resolve::{self, Resolved};

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// The properties of a text that determine its style.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "the facts are independent")]
struct Traits {
    has_breaks: bool,
    /// Characters that only double quotes can represent.
    has_special: bool,
    /// Indicators that would be interpreted without quotes.
    has_indicators: bool,
    is_framed_by_spaces: bool,
    ends_with_space: bool,
    has_space_after_break: bool,
    has_break_after_space: bool,
}

/// Whether a key is short and has no line breaks, so that it needs no `?` indicator.
pub(super) fn is_simple_key(text: &str) -> bool {
    text.len() <= 128 && !text.chars().any(is_break)
}

/// Chooses the style of a text; a simple key stays on one line.
pub(super) fn of(text: &str, is_simple_key: bool) -> Style {
    let traits = traits(text);
    let wanted = if text.contains('\n') {
        Style::Literal
    } else if resolve::plain(text) == Resolved::Text && !is_base_60(text) {
        Style::Plain
    } else {
        Style::DoubleQuoted
    };
    let allows_plain = !(traits.is_framed_by_spaces || traits.has_breaks || traits.has_indicators);
    let allows_single_quotes = !(traits.has_space_after_break || traits.has_break_after_space || traits.has_special);
    match wanted {
        Style::Plain if allows_plain && allows_single_quotes => Style::Plain,
        Style::Plain if allows_single_quotes => Style::SingleQuoted,
        Style::Literal
            if !(is_simple_key || traits.ends_with_space || traits.has_break_after_space || traits.has_special) =>
        {
            Style::Literal
        }
        _ => Style::DoubleQuoted,
    }
}

fn traits(text: &str) -> Traits {
    let mut traits = Traits {
        has_indicators: text.starts_with("---") || text.starts_with("..."),
        is_framed_by_spaces: text.starts_with(is_space) || text.ends_with(is_space),
        ends_with_space: text.ends_with(' '),
        ..Traits::default()
    };
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let precedes_space = letters.peek().is_none_or(|next| matches!(next, ' ' | '\t'));
        traits.has_indicators |= match (letter, before) {
            ('#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`', None) => {
                true
            }
            ('?' | '-', None) | (':', _) => precedes_space,
            ('#', Some(before)) => is_break(before) || matches!(before, ' ' | '\t' | '\0'),
            _ => false,
        };
        traits.has_special |= !is_printable(letter);
        traits.has_breaks |= is_break(letter);
        traits.has_space_after_break |= letter == ' ' && before.is_some_and(is_break);
        traits.has_break_after_space |= is_break(letter) && before == Some(' ');
        before = Some(letter);
    }
    traits
}

fn is_space(letter: char) -> bool {
    letter == ' ' || is_break(letter)
}

pub(super) fn is_break(letter: char) -> bool {
    matches!(letter, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character is written unescaped; upstream's writer escapes all above 16 bits.
pub(super) fn is_printable(letter: char) -> bool {
    matches!(letter, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Whether a text is a base-60 number such as `1:30` to other parsers.
fn is_base_60(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (text, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = text.split(':');
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let starts =
        parts.next().is_some_and(|part| part.starts_with(|first: char| first.is_ascii_digit()) && digits(part));
    let mut rest = parts.peekable();
    let has_rest = rest.peek().is_some();
    let is_part = |part: &str| match part.as_bytes() {
        [digit] => digit.is_ascii_digit(),
        [first, second] => matches!(first, b'0'..=b'5') && second.is_ascii_digit(),
        _ => false,
    };
    starts && has_rest && rest.all(is_part) && digits(fraction)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("text", Style::Plain)]
    #[case("a b", Style::Plain)]
    #[case("", Style::DoubleQuoted)]
    #[case("yes", Style::DoubleQuoted)]
    #[case("1", Style::DoubleQuoted)]
    #[case("1:30", Style::DoubleQuoted)]
    #[case("1:70", Style::Plain)]
    #[case("2001-01-01", Style::DoubleQuoted)]
    #[case("a: b", Style::SingleQuoted)]
    #[case("a:b", Style::Plain)]
    #[case("a #b", Style::SingleQuoted)]
    #[case("a#b", Style::Plain)]
    #[case("- a", Style::SingleQuoted)]
    #[case("-a", Style::Plain)]
    #[case("*a", Style::SingleQuoted)]
    #[case(" a", Style::SingleQuoted)]
    #[case("a ", Style::SingleQuoted)]
    #[case("---", Style::SingleQuoted)]
    #[case("a\tb", Style::DoubleQuoted)]
    #[case("a\u{1f600}", Style::DoubleQuoted)]
    #[case("é", Style::Plain)]
    #[case("a\nb", Style::Literal)]
    #[case("a\nb ", Style::DoubleQuoted)]
    #[case("a \nb", Style::DoubleQuoted)]
    #[case("a\n b", Style::Literal)]
    fn rest_011_styles(#[case] text: &str, #[case] expected: Style) {
        assert_eq!(of(text, false), expected);
    }

    #[test]
    fn rest_011_keys_stay_on_one_line() {
        assert_eq!(of("a\nb", true), Style::DoubleQuoted);
        assert!(!is_simple_key("a\nb"));
        assert!(!is_simple_key(&"x".repeat(129)));
    }
}
