//! The arguments of calls.

use std::sync::Arc;

use crate::value::{EvaluationError, List, Value};

/// A text.
///
/// Errors: the argument is none.
pub(super) fn string(value: &Value) -> Result<&Arc<str>, EvaluationError> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// An integer.
///
/// Errors: the argument is none.
pub(super) fn int(value: &Value) -> Result<i64, EvaluationError> {
    match value {
        Value::Int(value) => Ok(*value),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// A list.
///
/// Errors: the argument is none.
pub(super) fn list(value: &Value) -> Result<&dyn List, EvaluationError> {
    match value {
        Value::List(list) => Ok(&**list),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// No list that is made has more elements, and no text more bytes: a short expression could ask for far more than a
/// machine has.
const LARGEST: usize = 1 << 27;

/// That something of this size may be made.
///
/// Errors: it may not.
pub(super) fn may_have(size: usize) -> Result<(), EvaluationError> {
    if size > LARGEST {
        return Err(EvaluationError::new(format!("a result of size {size} is too large")));
    }
    Ok(())
}

/// The elements of a list.
///
/// Errors: one of them has no value, or there are far too many.
pub(super) fn elements(list: &dyn List) -> Result<Vec<Value>, EvaluationError> {
    may_have(list.size())?;
    (0..list.size()).map(|position| list.get(position)).collect()
}
