//! Which number is kept of one that is sent.

use serde_json::Number;

/// Up to here, 2^53 − 1, every integer is a float64 and no two are the same.
const EXACT: f64 = 9_007_199_254_740_991.0;
/// 2^63, the first float64 beyond int64.
const BEYOND: f64 = 9_223_372_036_854_775_808.0;

/// The number that is kept of one that is sent (VALUE-005): an integer literal within int64 exactly, any other as
/// float64, and of those the integral ones are integers again. Beyond 2^53 − 1 such a float stays one here: how it is
/// written is free.
pub(super) fn kept(number: &Number) -> Number {
    if number.is_i64() {
        return number.clone();
    }
    let float = number.as_f64().unwrap_or_default();
    if float.fract() == 0.0 && float.abs() <= EXACT {
        return Number::from(truncate(float));
    }
    Number::from_f64(float).unwrap_or_else(|| number.clone())
}

/// Whether two numbers are kept as the same number (VALUE-005, VALUE-047): by value, however they are written.
pub(super) fn equal(one: &Number, other: &Number) -> bool {
    let [one, other] = [one, other].map(kept);
    match (one.as_i64(), other.as_i64()) {
        (Some(one), Some(other)) => one == other,
        (Some(integer), None) => is(&other, integer),
        (None, Some(integer)) => is(&one, integer),
        (None, None) => one.as_f64() == other.as_f64(),
    }
}

/// Whether a float is exactly this integer.
fn is(float: &Number, integer: i64) -> bool {
    float.as_f64().is_some_and(|float| float.fract() == 0.0 && within(float) && truncate(float) == integer)
}

/// Whether a number that is sent as a float may be stored as an integer literal, so that the same float is another
/// number the next time (VALUE-005, SUB-009).
pub(super) fn is_float_of_an_integer(number: &Number) -> bool {
    let float = number.as_f64().filter(|_| number.is_f64());
    float.is_some_and(|float| float.fract() == 0.0 && within(float))
}

/// Whether a number that was sent is a zero with a sign, which may be stored with it (SUB-009).
pub(super) fn is_negative_zero(number: &Number) -> bool {
    number.as_f64().is_some_and(|float| number.is_f64() && float == 0.0 && float.is_sign_negative())
}

/// The number without its fraction, if it is within 64 bits.
pub(super) fn truncated(number: &Number) -> Option<i64> {
    let number = kept(number);
    number.as_i64().or_else(|| number.as_f64().filter(|float| within(*float)).map(truncate))
}

fn within(float: f64) -> bool {
    (-BEYOND..BEYOND).contains(&float)
}

#[expect(clippy::cast_possible_truncation, reason = "the fraction is what it drops, and the range is checked before")]
fn truncate(float: f64) -> i64 {
    float as i64
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::Number;

    use super::{equal, kept};

    fn number(text: &str) -> Number {
        text.parse().expect("a JSON number")
    }

    /// The examples of VALUE-003 and VALUE-005.
    #[rstest]
    #[case("1", "1")]
    #[case("1.0", "1")]
    #[case("1e3", "1000")]
    #[case("10e-1", "1")]
    #[case("1e-400", "0")]
    #[case("1.00000000000000001", "1")]
    #[case("-0", "0")]
    #[case("-0.0", "0")]
    #[case("2e10", "20000000000")]
    #[case("9007199254740991.0", "9007199254740991")]
    #[case("9007199254740993", "9007199254740993")]
    #[case("9223372036854775807", "9223372036854775807")]
    #[case("-9223372036854775808", "-9223372036854775808")]
    #[case("0.5", "0.5")]
    #[case("-1.5", "-1.5")]
    #[case("9223372036854775808", "9.223372036854775808e18")]
    #[case("18446744073709551616", "1.8446744073709551616e19")]
    #[case("1e300", "1e300")]
    fn what_is_kept(#[case] sent: &str, #[case] expected: &str) {
        assert_eq!(kept(&number(sent)), number(expected));
        assert_eq!(kept(&kept(&number(sent))), kept(&number(sent)), "what is kept is kept");
    }

    /// VALUE-047, and that large integers survive exactly (VALUE-005).
    #[rstest]
    #[case("1", "1.0", true)]
    #[case("0.0", "-0.0", true)]
    #[case("1000", "1e3", true)]
    #[case("0.5", "5e-1", true)]
    #[case("1", "2", false)]
    #[case("1", "1.5", false)]
    #[case("9007199254740992", "9007199254740993", false)]
    #[case("9007199254740992", "9007199254740992.0", true)]
    #[case("9007199254740993", "9007199254740992.0", false)]
    #[case("9223372036854775807", "9223372036854775808", false)]
    #[case("1e300", "10e299", true)]
    fn which_are_equal(#[case] one: &str, #[case] other: &str, #[case] expected: bool) {
        assert_eq!(equal(&number(one), &number(other)), expected);
        assert_eq!(equal(&number(other), &number(one)), expected);
    }
}
