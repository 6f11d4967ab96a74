//! What is the same.

use std::cmp::Ordering;

use super::order::{Compared, compare_numbers};
use super::work::{is_exhausted, look, look_through};
use super::{EvaluationError, Value, lost};
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
        (Value::Optional(Some(left)), Value::Optional(Some(right))) => deep(|| equal(left.value(), right.value()))?,
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
