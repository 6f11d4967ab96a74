//! Numbers, simple ones first.

use serde_json::Value;

use crate::choice::Choices;

/// The largest integer up to which all integers are exact in float64; bounds of schemas stay within it (VALUE-009,
/// VALUE-044).
pub const EXACT: i64 = (1 << 53) - 1;

/// Values at which servers have bugs: the ends of int32, of exact floats, of int64.
const CORNERS: [u64; 9] = [
    i32::MAX as u64 - 1,
    i32::MAX as u64,
    i32::MAX as u64 + 1,
    u32::MAX as u64,
    EXACT.unsigned_abs(),
    EXACT.unsigned_abs() + 1,
    EXACT.unsigned_abs() + 2,
    i64::MAX as u64 - 1,
    i64::MAX as u64,
];

/// Draws an integer in `low..=high` (`low` if the bounds are reversed): usually near zero, sometimes large, sometimes a
/// corner value. The simplest is the one nearest to zero.
pub fn integer(c: &mut Choices, low: i64, high: i64) -> i64 {
    if high <= low {
        return low;
    }
    let origin = 0_i64.clamp(low, high);
    let (above, below) = (high.abs_diff(origin), origin.abs_diff(low));
    let is_below = c.flag(below > 0, 1, 3) || above == 0;
    if is_below {
        // Zero has no sign, so negative numbers start at one.
        return origin.wrapping_sub_unsigned(c.amount(below - 1, &CORNERS) + 1);
    }
    origin.wrapping_add_unsigned(c.amount(above, &CORNERS))
}

/// Draws an integer within ±`most` for a bound, like [`integer`], so that both shrink in the same way. A quarter of the
/// bounds are near ±2^31 or at the end, where integers and floats are confused.
pub(crate) fn bound(c: &mut Choices, most: i64) -> i64 {
    let end = most.unsigned_abs();
    let is_below = c.flag(end > 0, 1, 3);
    let corners = |below: u64| [(1_u64 << 31) - 1, 1 << 31, (1 << 31) + 1, end, end].map(|corner| corner - below);
    if is_below {
        return 0_i64.wrapping_sub_unsigned(c.amount_with(BOUND_CORNERS, end - 1, &corners(1)) + 1);
    }
    0_i64.wrapping_add_unsigned(c.amount_with(BOUND_CORNERS, end, &corners(0)))
}

/// The weight of the corners, against 14 for all other bounds.
const BOUND_CORNERS: u64 = 5;

/// Draws a number with a fraction, which every float64 reader and writer returns unchanged.
///
/// Never integral, because `1.0` is stored as `1` (VALUE-005), and never near an integer, because releases before 1.36
/// accept such a number as the integer (VALUE-003).
pub fn fraction(c: &mut Choices) -> Value {
    const PARTS: [f64; 6] = [0.5, 0.25, 0.1, 0.125, 0.0025, 0.141_592_653_589_793];
    let whole = integer(c, -1_000_000, 1_000_000);
    let part = *c.pick(&PARTS);
    // Both are far below 2^53, so the conversion is exact.
    #[expect(clippy::cast_precision_loss, reason = "within ±10^6")]
    let sum = whole as f64 + part;
    serde_json::Number::from_f64(sum).map_or(Value::Null, Value::Number)
}

/// Writes an integer within ±[`EXACT`] as a JSON number with a fraction or an exponent, never as a plain literal:
/// `5.0`, `50e-1`, `0.5E1`, `-0.0`. As a float64 it is exactly that integer.
pub fn written(c: &mut Choices, integer: i64) -> String {
    let digits = integer.unsigned_abs().to_string();
    // Zero has two signs.
    let sign = if integer < 0 || c.flag(integer == 0, 1, 3) { "-" } else { "" };
    match c.weighted(&[4, 1, 2, 2, 1, 2]) {
        0 => format!("{sign}{digits}.0"),
        1 => format!("{sign}{digits}.000"),
        2 => format!("{sign}{digits}{}", *c.pick(&["e0", "E0", "e+0", "e-0"])),
        // A number must not start with a superfluous zero.
        3 if integer == 0 => format!("{sign}0e-1"),
        3 => format!("{sign}{digits}0e-1"),
        4 => {
            let (first, rest) = digits.split_at(1);
            let rest = if rest.is_empty() { "0" } else { rest };
            format!("{sign}{first}.{rest}e{}", digits.len() - 1)
        }
        _ => {
            let short = digits.trim_end_matches('0');
            let zeros = digits.len() - short.len();
            if short.is_empty() { format!("{sign}0e7") } else { format!("{sign}{short}E+{zeros}") }
        }
    }
}
