//! What is the same.

use std::cmp::Ordering;

use super::order::{Compared, compare_numbers};
use super::work::{is_exhausted, look, look_through};
use super::{Evaluated, EvaluationError, Value, lost};
use crate::stack::deep;

/// Whether both are the same, seen from the left one: it decides what equality of lists means (CEL-018).
///
/// Errors: elements that cannot be compared.
pub fn equal(left: &Value, right: &Value) -> Result<bool, EvaluationError> {
    look()?;
    Ok(match (left, right) {
        (Value::Null, Value::Null) | (Value::Optional(None), Value::Optional(None)) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => is_same_text(left.as_bytes(), right.as_bytes())?,
        (Value::Type(left), Value::Type(right)) => left == right,
        (Value::Bytes(left), Value::Bytes(right)) => is_same_text(left, right)?,
        (Value::Duration(left), Value::Duration(right)) => left == right,
        (Value::Timestamp(left), Value::Timestamp(right)) => left.moment() == right.moment(),
        (Value::List(left), Value::List(right)) => deep(|| left.is_equal(&**right))?,
        (Value::Map(left), Value::Map(right)) => deep(|| left.is_equal(&**right))?,
        (Value::Optional(Some(left)), Value::Optional(Some(right))) => {
            deep(|| equal_inside(left.value(), right.value()))?
        }
        (Value::Opaque(_), Value::Null) => false,
        (Value::Opaque(left), right) => match lost(right) {
            Some(error) => return Err(error),
            None => left.is_equal(right)?,
        },
        // Null is not the same as anything else.
        (Value::List(left), right) if !matches!(right, Value::Null) => left.is_equal_to_other()?,
        (Value::Map(left), right) if !matches!(right, Value::Null) => left.is_equal_to_other()?,
        (left, right) => matches!(compare_numbers(left, right), Compared::As(Ordering::Equal)),
    })
}

/// The same of what is in optional values: there, upstream also compares with null what cannot be compared.
fn equal_inside(left: &Value, right: &Value) -> Result<bool, EvaluationError> {
    match (left, right) {
        (Value::List(left), Value::Null) => left.is_equal_to_other(),
        (Value::Map(left), Value::Null) => left.is_equal_to_other(),
        (Value::Opaque(left), Value::Null) => left.is_equal(right),
        _ => equal(left, right),
    }
}

/// Whether two parts of a list or a map are the same, each of which may have no value.
///
/// Errors: they cannot be compared, or one of them has no value.
pub(super) fn equal_parts(left: Evaluated, right: Evaluated) -> Result<bool, EvaluationError> {
    match (left, right) {
        (Ok(left), Ok(right)) => equal(&left, &right),
        (Err(_), Ok(Value::Null)) => Ok(false),
        (Err(error), _) | (Ok(Value::Opaque(_)), Err(error)) => Err(error),
        (Ok(Value::List(left)), Err(_)) => left.is_equal_to_other(),
        (Ok(Value::Map(left)), Err(_)) => left.is_equal_to_other(),
        (Ok(_), Err(_)) => Ok(false),
    }
}

/// Whether two parts may be the same, as upstream's lists and maps have it: what cannot be compared counts as the same.
///
/// Errors: the evaluation has compared too much.
pub(super) fn may_be_equal(left: Evaluated, right: Evaluated) -> Result<bool, EvaluationError> {
    match equal_parts(left, right) {
        Err(error) if is_exhausted() => Err(error),
        result => Ok(result != Ok(false)),
    }
}

fn is_same_text(left: &[u8], right: &[u8]) -> Result<bool, EvaluationError> {
    if left.len() != right.len() {
        return Ok(false);
    }
    look_through(left.len())?;
    Ok(left == right)
}

/// The same; what cannot be compared is not the same.
///
/// Errors: the evaluation has compared too much.
pub(crate) fn is_same(left: &Value, right: &Value) -> Result<bool, EvaluationError> {
    match equal(left, right) {
        Err(error) if is_exhausted() => Err(error),
        result => Ok(result == Ok(true)),
    }
}
