//! What is the same.

use super::order::compare_numbers;
use super::{EvaluationError, Value};

/// Whether both are the same, seen from the left one: it decides what equality of lists means (CEL-018).
///
/// Errors: elements that cannot be compared.
pub(crate) fn equal(left: &Value, right: &Value) -> Result<bool, EvaluationError> {
    Ok(match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Bytes(left), Value::Bytes(right)) => left == right,
        (Value::Duration(left), Value::Duration(right)) => left == right,
        (Value::Timestamp(left), Value::Timestamp(right)) => left.moment() == right.moment(),
        (Value::Type(left), Value::Type(right)) => left == right,
        (Value::List(left), Value::List(right)) => left.is_equal(&**right)?,
        (Value::Map(left), Value::Map(right)) => left.is_equal(&**right)?,
        (Value::Optional(None), Value::Optional(None)) => true,
        (Value::Optional(Some(left)), Value::Optional(Some(right))) => equal(left, right)?,
        (Value::Opaque(left), right) => left.is_equal(right),
        (left, right) => compare_numbers(left, right).is_some_and(|order| order == Some(std::cmp::Ordering::Equal)),
    })
}
