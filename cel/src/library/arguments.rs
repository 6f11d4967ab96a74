//! The arguments of calls.

use std::any::Any;
use std::sync::Arc;

use crate::value::{Evaluated, EvaluationError, List, Opaque, Value, make, make_list, may_have_elements};

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

/// What a library made.
///
/// Errors: the argument is none of this type.
pub(super) fn opaque<T: Opaque>(value: &Value) -> Result<&T, EvaluationError> {
    let Value::Opaque(opaque) = value else { return Err(EvaluationError::no_such_overload()) };
    (&**opaque as &dyn Any).downcast_ref().ok_or_else(EvaluationError::no_such_overload)
}

/// What is left of a value of a library that Go cannot make again: an error.
pub(super) fn unconvertible(go_type: &str, value: &dyn Opaque) -> Option<Evaluated> {
    let printed = value.print();
    let made = make(printed.len());
    let error = || EvaluationError::new(format!("unsupported conversion to ref.Val: ({go_type}){printed}"));
    Some(Err(made.err().unwrap_or_else(error)))
}

/// A list of these elements.
///
/// Errors: the evaluation has made too much.
pub(super) fn made(elements: Vec<Value>) -> Evaluated {
    make_list(elements.len())?;
    Ok(Value::list(elements))
}

/// The elements of a list.
///
/// Errors: one of them has no value, or there are far too many.
pub(super) fn elements(list: &dyn List) -> Result<Vec<Value>, EvaluationError> {
    may_have_elements(list.size())?;
    (0..list.size()).map(|position| list.get(position)).collect()
}
