//! Resolves plain scalars by the rules of YAML 1.1, as upstream's parser does.

use super::YamlError;
use crate::wire::go_time;

/// The resolved type and value of a scalar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Resolved {
    Null,
    Bool(bool),
    Integer(i64),
    /// An integer that needs 64 bits.
    Unsigned(u64),
    Float(f64),
    /// Parsed as a string, and written with quotes.
    Timestamp,
    Text,
}

impl Resolved {
    fn tag(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Integer(_) | Self::Unsigned(_) => "int",
            Self::Float(_) => "float",
            Self::Timestamp => "timestamp",
            Self::Text => "str",
        }
    }
}

/// Resolves a text without quotes and tag.
pub(super) fn plain(text: &str) -> Resolved {
    if let Some(word) = word(text) {
        return word;
    }
    match text.bytes().next() {
        Some(b'.') => decimal(text).map_or(Resolved::Text, Resolved::Float),
        Some(b'+' | b'-' | b'0'..=b'9') => {
            if go_time::is_yaml_timestamp(text) {
                return Resolved::Timestamp;
            }
            number(&text.replace('_', "")).unwrap_or(Resolved::Text)
        }
        _ => Resolved::Text,
    }
}

/// Resolves a text with one of the known tags; `str` keeps the text.
pub(super) fn tagged(tag: &str, text: &str) -> Result<Resolved, YamlError> {
    let found = if tag == "str" { Resolved::Text } else { plain(text) };
    match (tag, found) {
        ("float", Resolved::Integer(integer)) =>
        {
            #[allow(clippy::cast_precision_loss, reason = "the tag requests a float")]
            Ok(Resolved::Float(integer as f64))
        }
        (tag, found) if tag == found.tag() => Ok(found),
        (tag, found) => Err(YamlError::Tag { text: text.into(), found: found.tag(), tag: tag.into() }),
    }
}

fn word(text: &str) -> Option<Resolved> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Resolved::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Resolved::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Resolved::Bool(false),
        ".nan" | ".NaN" | ".NAN" => Resolved::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Resolved::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Resolved::Float(f64::NEG_INFINITY),
        _ => return None,
    })
}

/// Parses a number without underscores.
fn number(text: &str) -> Option<Resolved> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if let Some(size) = based(digits) {
        let signed = if negative { 0_i64.checked_sub_unsigned(size) } else { i64::try_from(size).ok() };
        if let Some(integer) = signed {
            return Some(Resolved::Integer(integer));
        }
        // An integer that needs 64 bits must not have a sign.
        if digits.len() == text.len() {
            return Some(Resolved::Unsigned(size));
        }
    }
    is_decimal(digits).then(|| decimal(text)).flatten().map(Resolved::Float)
}

/// Parses an integer with Go's prefixes: `0x`, `0o` or `0`, `0b`.
fn based(digits: &str) -> Option<u64> {
    let lower = digits.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'o', ..] => (&lower[2..], 8),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (lower.as_str(), 10),
    };
    // `from_str_radix` would accept a sign here.
    if digits.starts_with(['+', '-']) { None } else { u64::from_str_radix(digits, radix).ok() }
}

/// Whether a text is `1`, `1.`, `1.5` or `.5`, with or without an exponent; signs are not allowed.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (text, "0"),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    has_digits && digits(whole) && digits(fraction) && !exponent.is_empty() && digits(exponent)
}

/// Parses a finite decimal number.
fn decimal(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    text.parse().ok().filter(|float: &f64| is_decimal(unsigned) && float.is_finite())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("", Resolved::Null)]
    #[case("~", Resolved::Null)]
    #[case("nULL", Resolved::Text)]
    #[case("on", Resolved::Bool(true))]
    #[case("y", Resolved::Bool(true))]
    #[case("Off", Resolved::Bool(false))]
    #[case("oN", Resolved::Text)]
    #[case("010", Resolved::Integer(8))]
    #[case("0o17", Resolved::Integer(15))]
    #[case("0x10", Resolved::Integer(16))]
    #[case("-0X1f", Resolved::Integer(-31))]
    #[case("0b11", Resolved::Integer(3))]
    #[case("1_000", Resolved::Integer(1000))]
    #[case("08", Resolved::Float(8.0))]
    #[case("-9223372036854775808", Resolved::Integer(i64::MIN))]
    #[case("9223372036854775807", Resolved::Integer(i64::MAX))]
    #[case("9223372036854775808", Resolved::Unsigned(1 << 63))]
    #[case("18446744073709551616", Resolved::Float(18_446_744_073_709_551_616.0))]
    #[case("1.5", Resolved::Float(1.5))]
    #[case("1.", Resolved::Float(1.0))]
    #[case(".5", Resolved::Float(0.5))]
    #[case("+1e3", Resolved::Float(1000.0))]
    #[case("1e400", Resolved::Text)]
    #[case("1e", Resolved::Text)]
    #[case(".", Resolved::Text)]
    #[case("-", Resolved::Text)]
    #[case("+-1", Resolved::Text)]
    #[case("0x", Resolved::Text)]
    #[case("1:30", Resolved::Text)]
    #[case("inf", Resolved::Text)]
    #[case(".infinity", Resolved::Text)]
    #[case("-.inf", Resolved::Float(f64::NEG_INFINITY))]
    #[case("2001-01-01", Resolved::Timestamp)]
    #[case("2001-1-1 10:00:00", Resolved::Timestamp)]
    #[case("2001-13-01", Resolved::Text)]
    #[case("text", Resolved::Text)]
    fn rest_011_plain_scalars_are_resolved(#[case] text: &str, #[case] expected: Resolved) {
        assert_eq!(plain(text), expected);
    }
}
