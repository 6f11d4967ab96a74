//! Colours: `hexcolor`, `rgbcolor`.

/// Whether a string is three or six hexadecimal digits, optionally after a `#`.
pub(super) fn is_hexadecimal(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a string is a colour like `rgb(0, 127, 255)`.
pub(super) fn is_decimal(text: &str) -> bool {
    let Some(inner) = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    inner.split(',').count() == 3 && inner.split(',').all(is_channel)
}

/// Whether a string is a number from 0 to 255 without leading zeros, optionally between blanks.
fn is_channel(text: &str) -> bool {
    let digits = text.trim_matches(['\t', '\n', '\x0C', '\r', ' ']);
    let is_short = digits == "0" || !digits.starts_with('0');
    is_short && digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse::<u8>().is_ok()
}
