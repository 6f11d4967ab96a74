//! Texts as Go quotes them.

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
    letter == ' ' || !(letter.is_whitespace() || letter.is_control() || is_format(letter))
}

/// Whether a letter is not printable, although it is neither blank nor control: Unicode's class Cf and private use.
fn is_format(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{10ffff}')
}
