//! What is less, and what is greater.

use std::cmp::Ordering;

use super::{EvaluationError, Value};

/// How two values are ordered.
///
/// Errors: values of two kinds, and what is no number.
pub(crate) fn compare(left: &Value, right: &Value) -> Result<Ordering, EvaluationError> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Ok(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Ok(left.cmp(right)),
        (Value::Bytes(left), Value::Bytes(right)) => Ok(left.cmp(right)),
        (Value::Duration(left), Value::Duration(right)) => Ok(left.cmp(right)),
        (Value::Timestamp(left), Value::Timestamp(right)) => Ok(left.moment().cmp(&right.moment())),
        _ => match compare_numbers(left, right) {
            Some(Some(order)) => Ok(order),
            Some(None) => Err(EvaluationError::new("NaN values cannot be ordered")),
            None => Err(EvaluationError::no_such_overload()),
        },
    }
}

/// How two numbers are ordered; nothing if one is no number of the language, and `Some(None)` if one is NaN.
///
/// Integers are converted to be compared with doubles, so that 2^53 + 1 is the same as 2^53 (CEL-020).
pub(super) fn compare_numbers(left: &Value, right: &Value) -> Option<Option<Ordering>> {
    Some(match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Uint(left), Value::Uint(right)) => Some(left.cmp(right)),
        (Value::Int(left), Value::Uint(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Value::Uint(left), Value::Int(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
        (Value::Double(left), right) => left.partial_cmp(&as_double(right)?),
        (left, Value::Double(right)) => as_double(left)?.partial_cmp(right),
        _ => return None,
    })
}

#[expect(clippy::cast_precision_loss, reason = "as upstream does")]
fn as_double(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Uint(value) => Some(*value as f64),
        _ => None,
    }
}
