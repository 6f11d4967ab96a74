//! String literals. Invalid text is repaired as upstream does.

/// Why a literal cannot be read.
pub(super) enum TextError {
    /// The closing quote is missing.
    End,
    /// An invalid byte; the offset counts from the first byte after the opening quote.
    Bad { offset: usize, place: &'static str },
}

/// Reads a literal after its opening quote. Returns its text, and its length in bytes with the closing quote.
///
/// Each byte of invalid UTF-8 and each lone surrogate becomes U+FFFD.
pub(super) fn read(rest: &[u8]) -> Result<(String, usize), TextError> {
    let mut out = String::new();
    let mut plain_from = 0;
    let mut at = 0;
    loop {
        match rest.get(at) {
            None => return Err(TextError::End),
            Some(b'"') => {
                push_repaired(&mut out, &rest[plain_from..at]);
                return Ok((out, at + 1));
            }
            Some(b'\\') => {
                push_repaired(&mut out, &rest[plain_from..at]);
                at += escape(&rest[at..], &mut out).map_err(|error| error.moved(at))?;
                plain_from = at;
            }
            Some(0..=0x1f) => {
                return Err(TextError::Bad { offset: at, place: "in string literal" });
            }
            Some(_) => at += 1,
        }
    }
}

impl TextError {
    fn moved(self, by: usize) -> Self {
        match self {
            Self::End => Self::End,
            Self::Bad { offset, place } => Self::Bad { offset: offset + by, place },
        }
    }
}

fn push_repaired(out: &mut String, mut bytes: &[u8]) {
    loop {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                out.push_str(text);
                return;
            }
            Err(error) => {
                let (good, bad) = bytes.split_at(error.valid_up_to());
                out.push_str(std::str::from_utf8(good).unwrap_or_default());
                out.push('\u{fffd}');
                bytes = &bad[1..];
            }
        }
    }
}

/// Reads one escape (`rest` starts at the backslash). Returns its length in bytes.
fn escape(rest: &[u8], out: &mut String) -> Result<usize, TextError> {
    let character = match rest.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(rest, out),
        Some(_) | None => return Err(TextError::Bad { offset: 1, place: "in string escape code" }),
    };
    out.push(character);
    Ok(2)
}

fn unicode_escape(rest: &[u8], out: &mut String) -> Result<usize, TextError> {
    const WIDTH: usize = 6;
    let first = four_digits(rest, 2)?;
    if (0xd800..0xdc00).contains(&first) && rest.get(WIDTH..WIDTH + 2) == Some(b"\\u") {
        let second = four_digits(rest, WIDTH + 2)?;
        if (0xdc00..0xe000).contains(&second) {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            return Ok(2 * WIDTH);
        }
    }
    out.push(char::from_u32(first).unwrap_or('\u{fffd}'));
    Ok(WIDTH)
}

fn four_digits(rest: &[u8], from: usize) -> Result<u32, TextError> {
    let mut code = 0;
    for offset in from..from + 4 {
        let digit = rest.get(offset).and_then(|byte| char::from(*byte).to_digit(16));
        let digit = digit.ok_or(TextError::Bad { offset, place: "in \\u hexadecimal character escape" })?;
        code = code * 16 + digit;
    }
    Ok(code)
}
