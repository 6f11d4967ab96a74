//! The values of literals.

/// The number of a text such as `-0x1f`; `None` if it is too large.
pub(super) fn int(is_negative: bool, digits: &str) -> Option<i64> {
    let (digits, radix) = radix(digits);
    let size = i128::from(u64::from_str_radix(digits, radix).ok()?);
    i64::try_from(if is_negative { -size } else { size }).ok()
}

/// The number of a text such as `1u`; `None` if it is too large.
pub(super) fn uint(text: &str) -> Option<u64> {
    let (digits, radix) = radix(&text[..text.len() - 1]);
    u64::from_str_radix(digits, radix).ok()
}

fn radix(digits: &str) -> (&str, u32) {
    digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16))
}

/// The number of a text such as `1.5e3`; `None` if it is too large.
pub(super) fn double(is_negative: bool, text: &str) -> Option<f64> {
    let size: f64 = text.parse().ok()?;
    size.is_finite().then_some(if is_negative { -size } else { size })
}

const CANNOT: &str = "unable to unescape string";
const NO_CODE_POINT: &str = "invalid unicode code point";

/// What a string literal stands for, or what is wrong with it.
pub(super) fn string(text: &str) -> Result<String, &'static str> {
    let Quoted { content, is_raw } = quoted(text);
    if is_raw {
        return Ok(content);
    }
    let mut value = String::with_capacity(content.len());
    unescape(&content, |unit| {
        match unit {
            Unit::Letter(letter) => value.push(letter),
            Unit::Byte(byte) => value.push(char::from(byte)),
            Unit::CodePoint(number) => value.push(char::from_u32(number).ok_or(NO_CODE_POINT)?),
        }
        Ok(())
    })?;
    Ok(value)
}

/// What a bytes literal stands for, or what is wrong with it.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, &'static str> {
    let Quoted { content, is_raw } = quoted(&text[1..]);
    if is_raw {
        return Ok(content.into_bytes());
    }
    let mut value = Vec::with_capacity(content.len());
    unescape(&content, |unit| {
        match unit {
            Unit::Letter(letter) => value.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            Unit::Byte(byte) => value.push(byte),
            Unit::CodePoint(_) => return Err(CANNOT),
        }
        Ok(())
    })?;
    Ok(value)
}

/// What stands between quotes.
struct Quoted {
    content: String,
    is_raw: bool,
}

/// All line breaks become line feeds, also in raw texts.
fn quoted(text: &str) -> Quoted {
    let unprefixed = text.trim_start_matches(['r', 'R']);
    let is_tripled = unprefixed.len() >= 6 && (unprefixed.starts_with("'''") || unprefixed.starts_with("\"\"\""));
    let quotes = if is_tripled { 3 } else { 1 };
    let content = unprefixed[quotes..unprefixed.len() - quotes].replace("\r\n", "\n").replace('\r', "\n");
    Quoted { content, is_raw: unprefixed.len() < text.len() }
}

/// A part of a text in quotes.
enum Unit {
    /// A letter as it is written, or an escape such as `\n`.
    Letter(char),
    /// `\x41`, `\101`
    Byte(u8),
    /// `\u0041`
    CodePoint(u32),
}

fn unescape(content: &str, mut take: impl FnMut(Unit) -> Result<(), &'static str>) -> Result<(), &'static str> {
    let mut rest = content;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        if letter != '\\' {
            take(Unit::Letter(letter))?;
            continue;
        }
        let escape = rest.chars().next().ok_or(CANNOT)?;
        // The number of an octal escape has no letter before it.
        let (skipped, digits, radix) = match escape {
            'x' | 'X' => (1, 2, 16),
            'u' => (1, 4, 16),
            'U' => (1, 8, 16),
            '0'..='3' => (0, 3, 8),
            _ => (escape.len_utf8(), 0, 10),
        };
        let number = rest.get(skipped..skipped + digits).ok_or(CANNOT)?;
        rest = &rest[skipped + digits..];
        take(match (escape, digits) {
            ('a', _) => Unit::Letter('\u{7}'),
            ('b', _) => Unit::Letter('\u{8}'),
            ('f', _) => Unit::Letter('\u{c}'),
            ('n', _) => Unit::Letter('\n'),
            ('r', _) => Unit::Letter('\r'),
            ('t', _) => Unit::Letter('\t'),
            ('v', _) => Unit::Letter('\u{b}'),
            (_, 0) => Unit::Letter(escape),
            (_, 2 | 3) => Unit::Byte(u8::from_str_radix(number, radix).map_err(|_| CANNOT)?),
            _ => Unit::CodePoint(u32::from_str_radix(number, radix).map_err(|_| CANNOT)?),
        })?;
    }
    Ok(())
}
