//! Numbers, durations and moments from texts, as Go reads them.

use crdible_text::calendar::{days_in_month, days_since_1970};

use super::time::{Span, Timestamp};

impl Span {
    /// Reads a duration as Go does: `1h30m`, `-1.5s`, `0`.
    pub fn read(text: &str) -> Option<Self> {
        crdible_text::go_duration(text).ok().map(Self::of_nanoseconds)
    }
}

impl Timestamp {
    /// Reads a moment as Go does: `2026-01-01T00:00:00.5+01:00`.
    pub fn read(text: &str) -> Option<Self> {
        read_timestamp(text)
    }

    /// The same in the years 0 to 9999 of any offset, so that the moment may be outside of the years 1 to 9999.
    pub fn read_in_any_year(text: &str) -> Option<Self> {
        /// All calendars are the same after 400 years.
        const SECONDS_OF_2000_YEARS: i64 = 5 * 146_097 * 86_400;
        let later = |years: &str, seconds| Some(Self::read(&format!("{years}{}", text.get(1..)?))?.shifted(seconds));
        Self::read(text).or_else(|| match text.as_bytes().first() {
            Some(b'0') => later("2", -SECONDS_OF_2000_YEARS),
            Some(b'9') => later("7", SECONDS_OF_2000_YEARS),
            _ => None,
        })
    }
}

/// A signed integer: digits with a sign.
pub(crate) fn read_int(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// An unsigned integer: digits without a sign.
pub(crate) fn read_uint(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A floating-point number: decimal or hexadecimal, with underscores between digits, or `Inf` and `NaN`.
///
/// Nothing if it is too large.
pub(crate) fn read_double(text: &str) -> Option<f64> {
    if text.contains('_') && !is_underscored(text) {
        return None;
    }
    let text = &text.replace('_', "");
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match unsigned.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => return Some(sign * f64::INFINITY),
        // With a sign it is no number.
        "nan" => return (unsigned.len() == text.len()).then_some(f64::NAN),
        _ => {}
    }
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        return read_hexadecimal(digits).map(|value| sign * value);
    }
    let is_decimal = unsigned.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    let has_digit = unsigned.bytes().any(|byte| byte.is_ascii_digit());
    let value: f64 = text.parse().ok().filter(|_| is_decimal && has_digit)?;
    value.is_finite().then_some(value)
}

/// Whether each underscore is between two digits, or behind `0x`.
fn is_underscored(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    let is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    let bytes = digits.as_bytes();
    let is_digit = |byte: u8| byte.is_ascii_digit() || is_hexadecimal && byte.is_ascii_hexdigit();
    (0..bytes.len()).filter(|at| bytes[*at] == b'_').all(|at| {
        let is_before = at > 0 && (is_digit(bytes[at - 1]) || is_hexadecimal && at == 2);
        is_before && bytes.get(at + 1).is_some_and(|byte| is_digit(*byte))
    })
}

/// `1.8p3`: the exponent, of two, must be there.
fn read_hexadecimal(text: &str) -> Option<f64> {
    let text = text.to_ascii_lowercase();
    let (mantissa, exponent) = text.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = whole.chars().chain(fraction.chars()).collect();
    let fraction = fraction.len();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    // Sixteen digits hold more than a double; of the rest only whether it is zero matters for rounding.
    let significant = digits.trim_start_matches('0');
    let (kept, dropped) = significant.split_at(significant.len().min(16));
    let mut value = u64::from_str_radix(if kept.is_empty() { "0" } else { kept }, 16).ok()?;
    if dropped.bytes().any(|byte| byte != b'0') {
        value |= 1;
    }
    let places = i32::try_from(dropped.len()).ok()? - i32::try_from(fraction).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "rounded to the nearest double")]
    let value = scaled(value as f64, exponent.checked_add(places.checked_mul(4)?)?);
    value.is_finite().then_some(value)
}

/// A number times a power of two, in steps that do not overflow before the result does.
fn scaled(mut value: f64, mut exponent: i32) -> f64 {
    exponent = exponent.clamp(-2_200, 2_200);
    while exponent > 500 {
        value *= 2f64.powi(500);
        exponent -= 500;
    }
    while exponent < -500 {
        value *= 2f64.powi(-500);
        exponent += 500;
    }
    value * 2f64.powi(exponent)
}

/// A moment: `2026-01-01T00:00:00.5+01:00`. As Go does, it takes hours of one digit, and a comma before a fraction.
pub(crate) fn read_timestamp(text: &str) -> Option<Timestamp> {
    let (year, rest) = number(text, 4, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 2, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 2, 2)?;
    let (hour, rest) = number(rest.strip_prefix('T')?, 1, 2)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
    let (second, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
    let (nanoseconds, rest) = match rest.strip_prefix(['.', ',']) {
        Some(fraction) => {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            let kept = format!("{:0<9}", &fraction[..digits.min(9)]);
            (kept.parse::<u32>().ok().filter(|_| digits > 0)?, &fraction[digits..])
        }
        None => (0, rest),
    };
    let offset = match rest {
        "Z" => 0,
        _ => {
            let sign = if rest.starts_with('-') { -1 } else { 1 };
            let (hours, rest) = number(rest.strip_prefix(['+', '-'])?, 2, 2)?;
            let (minutes, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
            if !rest.is_empty() || hours > 24 || minutes > 60 {
                return None;
            }
            sign * i32::try_from(hours * 3600 + minutes * 60).ok()?
        }
    };
    let is_date = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    if !is_date || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let local = days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    Timestamp::new(local - i64::from(offset), nanoseconds, offset)
}

/// A number whose digits are between these in number, and what comes after.
fn number(text: &str, least: usize, most: usize) -> Option<(i64, &str)> {
    let digits = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at((digits >= least).then_some(digits)?);
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{read_double, read_int, read_timestamp, read_uint};

    #[rstest]
    #[case("1970-01-01T00:00:01Z", Some("1970-01-01T00:00:01Z"))]
    #[case("2024-02-29T5:00:00,5+01:30", Some("2024-02-29T05:00:00.5+01:30"))]
    #[case("2023-02-29T05:00:00Z", None)]
    #[case("2023-01-01T24:00:00Z", None)]
    #[case("2023-01-01 00:00:00Z", None)]
    #[case("2023-01-01T00:00:00", None)]
    #[case("0000-01-01T00:00:00Z", None)]
    #[case("9999-12-31T23:59:59.999999999Z", Some("9999-12-31T23:59:59.999999999Z"))]
    fn moments(#[case] text: &str, #[case] printed: Option<&str>) {
        assert_eq!(read_timestamp(text).map(|moment| moment.to_string()).as_deref(), printed);
    }

    #[rstest]
    #[case("1.5", Some(1.5))]
    #[case("1e3", Some(1000.0))]
    #[case(".5", Some(0.5))]
    #[case("5.", Some(5.0))]
    #[case("0x1p-2", Some(0.25))]
    #[case("0x1.8p1", Some(3.0))]
    #[case("0x10", None)]
    #[case("-Inf", Some(f64::NEG_INFINITY))]
    #[case("1e400", None)]
    #[case("+nan", None)]
    #[case(" 1", None)]
    #[case("", None)]
    #[case("e5", None)]
    fn doubles(#[case] text: &str, #[case] value: Option<f64>) {
        assert_eq!(read_double(text), value);
    }

    #[test]
    fn integers() {
        assert_eq!((read_int("+1"), read_int("-9223372036854775808"), read_int("1 ")), (Some(1), Some(i64::MIN), None));
        assert_eq!((read_uint("1"), read_uint("+1"), read_uint("-0")), (Some(1), None, None));
    }
}
