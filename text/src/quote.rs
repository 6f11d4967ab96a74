//! Texts as Go quotes them.

use crate::pattern::is_other_or_separator;

/// A text as Go quotes it.
pub fn quoted(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        // Writing to a string cannot fail.
        let _ = match letter {
            '"' | '\\' => write!(out, "\\{letter}"),
            '\n' => write!(out, "\\n"),
            '\r' => write!(out, "\\r"),
            '\t' => write!(out, "\\t"),
            '\u{7}' => write!(out, "\\a"),
            '\u{8}' => write!(out, "\\b"),
            '\u{b}' => write!(out, "\\v"),
            '\u{c}' => write!(out, "\\f"),
            _ if is_printable(letter) => write!(out, "{letter}"),
            '\0'..='\u{7f}' => write!(out, "\\x{:02x}", u32::from(letter)),
            '\u{80}'..='\u{ffff}' => write!(out, "\\u{:04x}", u32::from(letter)),
            _ => write!(out, "\\U{:08x}", u32::from(letter)),
        };
    }
    out.push('"');
    out
}

/// Whether Go calls a letter printable: the only blank that it does is the space.
pub fn is_printable(letter: char) -> bool {
    match letter {
        ' '..='~' => true,
        '\0'..='\u{7f}' => false,
        letter => !is_other_or_separator(letter),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::quoted;

    #[rstest]
    #[case::printable("é😀€", r#""é😀€""#)]
    #[case::escapes("\n\t\"\\\u{b}", r#""\n\t\"\\\v""#)]
    #[case::control("\u{1}\u{7f}\u{85}", r#""\x01\x7f\u0085""#)]
    #[case::blanks("\u{a0}\u{2028}\u{3000}", r#""\u00a0\u2028\u3000""#)]
    #[case::format("\u{ad}\u{feff}", r#""\u00ad\ufeff""#)]
    #[case::private("\u{e000}\u{10fffd}", r#""\ue000\U0010fffd""#)]
    #[case::unassigned("\u{1f5c}\u{378}", r#""\u1f5c\u0378""#)]
    #[case::assigned_later("\u{1c89}", r#""\u1c89""#)]
    fn texts_are_quoted_as_in_go(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(quoted(text), expected);
    }
}
