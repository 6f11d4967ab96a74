//! Numbers by their exact values, whether they are integers or floats.

use std::cmp::Ordering;

use serde_json::Number;

/// The value of an integer.
fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// The value of a float: a number that is no integer, and so always finite.
fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or_default()
}

/// Compares two numbers without rounding either of them.
pub(super) fn compare(a: &Number, b: &Number) -> Ordering {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(a), None) => compare_with_float(a, float(b)),
        (None, Some(b)) => compare_with_float(b, float(a)).reverse(),
        (None, None) => float(a).partial_cmp(&float(b)).unwrap_or(Ordering::Equal),
    }
}

fn compare_with_float(integer: i128, float: f64) -> Ordering {
    // Far beyond all integers of JSON, and well within those of `i128`.
    const BEYOND: f64 = 1e30;
    if float.abs() >= BEYOND {
        return if float > 0.0 { Ordering::Less } else { Ordering::Greater };
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is integral and within the bounds")]
    let whole = float.trunc() as i128;
    integer.cmp(&whole).then_with(|| 0.0_f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal))
}

/// Whether this is an integer by value: `1.0` is.
pub(super) fn is_integral(number: &Number) -> bool {
    integer(number).is_some() || float(number).fract() == 0.0
}

/// Whether this is a multiple of the factor. No number is one of 0.
pub(super) fn is_multiple(number: &Number, factor: &Number) -> bool {
    match (integer(number), integer(factor)) {
        (Some(number), Some(factor)) => factor != 0 && number % factor == 0,
        _ => number.as_f64().zip(factor.as_f64()).is_some_and(|(number, factor)| number % factor == 0.0),
    }
}
