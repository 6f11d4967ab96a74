//! Whether parts of values of a schema are the same.

use crdible_cel::{Evaluated, EvaluationError, Value, equal};

/// What upstream says of values that it cannot compare.
pub(super) fn incomparable() -> EvaluationError {
    EvaluationError::new("no such overload")
}

/// Whether a part of a value is the same as that of another one. Upstream compares lists and objects with null, too: that
/// is an error.
pub(super) fn same(own: &Value, other: &Value) -> Result<bool, EvaluationError> {
    match (own, other) {
        (Value::List(_) | Value::Map(_), Value::Null) => Err(incomparable()),
        _ => equal(own, other),
    }
}

/// The same of parts that may have no value: without one, the other part is only an error for lists and objects.
pub(super) fn same_evaluated(own: &Evaluated, other: Evaluated) -> Result<bool, EvaluationError> {
    let own = own.as_ref().map_err(Clone::clone)?;
    match other {
        Ok(other) => same(own, &other),
        Err(error) if matches!(own, Value::List(_) | Value::Map(_)) => Err(error),
        Err(_) => Ok(false),
    }
}
