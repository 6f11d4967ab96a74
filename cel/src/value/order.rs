//! What is less, and what is greater.

use std::cmp::Ordering;

use super::{EvaluationError, Value};

/// How two values are ordered.
///
/// Errors: values of two kinds, and NaN.
pub(crate) fn compare(left: &Value, right: &Value) -> Result<Ordering, EvaluationError> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Ok(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Ok(left.cmp(right)),
        (Value::Bytes(left), Value::Bytes(right)) => Ok(left.cmp(right)),
        (Value::Duration(left), Value::Duration(right)) => Ok(left.cmp(right)),
        (Value::Timestamp(left), Value::Timestamp(right)) => Ok(left.moment().cmp(&right.moment())),
        _ => match compare_numbers(left, right) {
            Compared::As(order) => Ok(order),
            Compared::WithNan => Err(EvaluationError::new("NaN values cannot be ordered")),
            Compared::NotNumbers => Err(EvaluationError::no_such_overload()),
        },
    }
}

/// How two values are ordered as numbers.
pub(super) enum Compared {
    As(Ordering),
    WithNan,
    NotNumbers,
}

/// How two values are ordered as numbers.
///
/// Integers are converted to be compared with doubles, so that 2^53 + 1 is the same as 2^53 (CEL-020).
pub(super) fn compare_numbers(left: &Value, right: &Value) -> Compared {
    let order = match (left, right) {
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
        // Upstream asks this before it looks at the other value.
        (Value::Double(left), _) if left.is_nan() => None,
        (Value::Double(left), right) => match as_double(right) {
            Some(right) => left.partial_cmp(&right),
            None => return Compared::NotNumbers,
        },
        (left, Value::Double(right)) => match as_double(left) {
            Some(left) => left.partial_cmp(right),
            None => return Compared::NotNumbers,
        },
        _ => match (as_integer(left), as_integer(right)) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => return Compared::NotNumbers,
        },
    };
    order.map_or(Compared::WithNan, Compared::As)
}

fn as_integer(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(i128::from(*value)),
        Value::Uint(value) => Some(i128::from(*value)),
        _ => None,
    }
}

/// The integers that a double is, signed and unsigned. Upstream takes the least integer for one that is too small.
#[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 65 bits")]
pub(crate) fn lossless(value: f64) -> (Option<i64>, Option<u64>) {
    if value.fract() != 0.0 || value.abs() > 2f64.powi(64) {
        return (None, None);
    }
    let whole = value as i128;
    (i64::try_from(whole).ok().filter(|whole| *whole > i64::MIN), u64::try_from(whole).ok())
}

#[expect(clippy::cast_precision_loss, reason = "as upstream does")]
fn as_double(value: &Value) -> Option<f64> {
    as_integer(value).map(|value| value as f64)
}
