//! Sums, differences, products.

use std::sync::Arc;

use super::row::in_a_row;
use super::time::{Span, Timestamp};
use super::work::make_text;
use super::{Evaluated, EvaluationError, Value};

fn overflow(of: &str) -> EvaluationError {
    EvaluationError::new(format!("{of} overflow"))
}

fn int(value: Option<i64>) -> Evaluated {
    value.map(Value::Int).ok_or_else(|| overflow("integer"))
}

fn uint(value: Option<u64>) -> Evaluated {
    value.map(Value::Uint).ok_or_else(|| overflow("unsigned integer"))
}

fn duration(value: Option<Span>) -> Evaluated {
    value.map(Value::Duration).ok_or_else(|| overflow("integer"))
}

fn timestamp(value: Option<Timestamp>) -> Evaluated {
    value.map(Value::Timestamp).ok_or_else(|| overflow("timestamp"))
}

/// `left + right`
pub(crate) fn add(left: &Value, right: &Value) -> Evaluated {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => int(left.checked_add(*right)),
        (Value::Uint(left), Value::Uint(right)) => uint(left.checked_add(*right)),
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left + right)),
        (Value::String(left), Value::String(right)) => {
            make_text(left.len() + right.len())?;
            Ok(Value::string(format!("{left}{right}")))
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            make_text(left.len() + right.len())?;
            Ok(Value::Bytes(Arc::from([&**left, &**right].concat())))
        }
        (Value::List(left), Value::List(right)) => left.sum(&**right).unwrap_or_else(|| in_a_row(left, right)),
        (Value::Duration(left), Value::Duration(right)) => duration(left.plus(*right)),
        (Value::Timestamp(moment), Value::Duration(span)) | (Value::Duration(span), Value::Timestamp(moment)) => {
            timestamp(moment.plus(*span))
        }
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// `left - right`
pub(crate) fn subtract(left: &Value, right: &Value) -> Evaluated {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => int(left.checked_sub(*right)),
        (Value::Uint(left), Value::Uint(right)) => uint(left.checked_sub(*right)),
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left - right)),
        (Value::Duration(left), Value::Duration(right)) => duration(left.minus(*right)),
        (Value::Timestamp(moment), Value::Duration(span)) => {
            let opposite = span.opposite().ok_or_else(|| overflow("integer"))?;
            timestamp(moment.plus(opposite))
        }
        (Value::Timestamp(left), Value::Timestamp(right)) => {
            left.since(*right).map(Value::Duration).ok_or_else(|| overflow("integer"))
        }
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// `left * right`
pub(crate) fn multiply(left: &Value, right: &Value) -> Evaluated {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => int(left.checked_mul(*right)),
        (Value::Uint(left), Value::Uint(right)) => uint(left.checked_mul(*right)),
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left * right)),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// `left / right`
pub(crate) fn divide(left: &Value, right: &Value) -> Evaluated {
    match (left, right) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => {
            Err(EvaluationError::new("division by zero"))
        }
        (Value::Int(left), Value::Int(right)) => int(left.checked_div(*right)),
        (Value::Uint(left), Value::Uint(right)) => uint(left.checked_div(*right)),
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left / right)),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// `left % right`
pub(crate) fn modulo(left: &Value, right: &Value) -> Evaluated {
    match (left, right) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => {
            Err(EvaluationError::new("modulus by zero"))
        }
        (Value::Int(left), Value::Int(right)) => int(left.checked_rem(*right)),
        (Value::Uint(left), Value::Uint(right)) => uint(left.checked_rem(*right)),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// `-value`
pub(crate) fn negate(value: &Value) -> Evaluated {
    match value {
        Value::Int(value) => int(value.checked_neg()),
        Value::Double(value) => Ok(Value::Double(-value)),
        Value::Duration(value) => duration(value.opposite()),
        _ => Err(EvaluationError::no_such_overload()),
    }
}
