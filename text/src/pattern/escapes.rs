//! Escapes that denote one character.

use super::{
    error::{PatternError, PatternErrorKind as Kind, until},
    ranges::LAST,
};

/// Parses the escape at the start of `text`. Returns its code point and the rest of the text.
pub(super) fn character(text: &str) -> Result<(u32, &str), PatternError> {
    let mut rest = text[1..].chars();
    let Some(first) = rest.next() else {
        return Err(PatternError::new(Kind::TrailingBackslash, ""));
    };
    let found = match first {
        // A single digit would be a back reference.
        '1'..='7' if !rest.as_str().starts_with(is_octal) => None,
        '0'..='7' => {
            let mut code = digit(first);
            for _ in 0..2 {
                if let Some(next) = rest.as_str().chars().next().filter(|&next| is_octal(next)) {
                    code = code * 8 + digit(next);
                    rest.next();
                }
            }
            Some(code)
        }
        'x' => hexadecimal(&mut rest),
        'a' => Some(0x07),
        'f' => Some(0x0C),
        'n' => Some(0x0A),
        'r' => Some(0x0D),
        't' => Some(0x09),
        'v' => Some(0x0B),
        other if other.is_ascii() && !other.is_ascii_alphanumeric() => Some(u32::from(other)),
        _ => None,
    };
    match found {
        Some(code) => Ok((code, rest.as_str())),
        None => Err(PatternError::new(Kind::InvalidEscape, until(text, rest.as_str()))),
    }
}

/// Parses the two digits of `\x41`, or the digits of `\x{41}`, of any number.
fn hexadecimal(rest: &mut std::str::Chars<'_>) -> Option<u32> {
    let first = rest.next()?;
    if first != '{' {
        let second = rest.next();
        return Some(first.to_digit(16)? * 16 + second?.to_digit(16)?);
    }
    let mut code = None;
    loop {
        let next = rest.next()?;
        if next == '}' {
            return code;
        }
        let value = code.unwrap_or(0) * 16 + next.to_digit(16)?;
        if value > LAST {
            return None;
        }
        code = Some(value);
    }
}

fn is_octal(character: char) -> bool {
    ('0'..='7').contains(&character)
}

fn digit(character: char) -> u32 {
    character.to_digit(8).unwrap_or(0)
}
