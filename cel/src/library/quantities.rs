//! What rules do with quantities.

use std::cmp::Ordering;
use std::sync::Arc;

use super::arguments::{opaque, string, unconvertible};
use super::quantity::Quantity;
use crate::value::{Evaluated, EvaluationError, Opaque, Value, look_at, make};

impl Opaque for Quantity {
    fn type_name(&self) -> &'static str {
        "kubernetes.Quantity"
    }

    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError> {
        let other = opaque::<Self>(other)?;
        if other.is_computed {
            return Err(EvaluationError::no_such_overload());
        }
        order(self, other).map(Ordering::is_eq)
    }

    fn print(&self) -> String {
        self.print()
    }

    fn unwrapped(&self) -> Option<Evaluated> {
        unconvertible("*resource.Quantity", self)
    }
}

/// A quantity, also of an integer.
fn of_number(value: &Value) -> Result<Quantity, EvaluationError> {
    match value {
        Value::Int(value) => Ok(Quantity::of_int(*value)),
        other => opaque::<Quantity>(other).cloned(),
    }
}

/// A text that is read as a quantity.
///
/// Errors: it is no text, or reading its digits takes too long.
fn readable(value: &Value) -> Result<&str, EvaluationError> {
    let text = string(value)?;
    read_or_print(text.len())?;
    make(text.len())?;
    Ok(text)
}

/// Between decimal and binary digits, the time grows with the square of their number.
fn read_or_print(digits: usize) -> Result<(), EvaluationError> {
    look_at(digits.saturating_mul(digits) >> 15)
}

/// That two quantities are compared or added; returns how many digits that takes.
fn compute(left: &Quantity, right: &Quantity) -> Result<usize, EvaluationError> {
    let digits = left.digits_beside(right);
    look_at(digits.saturating_mul(digits.isqrt()) >> 10)?;
    Ok(digits)
}

/// How two quantities are ordered.
///
/// Errors: the evaluation has compared too much.
fn order(left: &Quantity, right: &Quantity) -> Result<Ordering, EvaluationError> {
    compute(left, right)?;
    Ok(left.order(right))
}

fn made(quantity: Quantity) -> Evaluated {
    Ok(Value::Opaque(Arc::new(quantity)))
}

pub(super) fn quantity(arguments: &[Value]) -> Evaluated {
    made(Quantity::read(readable(&arguments[0])?).map_err(EvaluationError::new)?)
}

pub(super) fn is_quantity(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(Quantity::read(readable(&arguments[0])?).is_ok()))
}

pub(super) fn sign(arguments: &[Value]) -> Evaluated {
    Ok(Value::Int(opaque::<Quantity>(&arguments[0])?.sign()))
}

pub(super) fn is_greater(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(order(opaque::<Quantity>(&arguments[0])?, opaque::<Quantity>(&arguments[1])?)?.is_gt()))
}

pub(super) fn is_less(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(order(opaque::<Quantity>(&arguments[0])?, opaque::<Quantity>(&arguments[1])?)?.is_lt()))
}

pub(super) fn compare(arguments: &[Value]) -> Evaluated {
    Ok(Value::Int(order(opaque::<Quantity>(&arguments[0])?, opaque::<Quantity>(&arguments[1])?)? as i64))
}

pub(super) fn as_float(arguments: &[Value]) -> Evaluated {
    let quantity = opaque::<Quantity>(&arguments[0])?;
    read_or_print(quantity.digits_beside(quantity))?;
    Ok(Value::Double(quantity.as_float()))
}

pub(super) fn as_integer(arguments: &[Value]) -> Evaluated {
    let integer = opaque::<Quantity>(&arguments[0])?.as_integer();
    integer.map(Value::Int).ok_or_else(|| EvaluationError::new("cannot convert value to integer"))
}

pub(super) fn is_integer(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(opaque::<Quantity>(&arguments[0])?.as_integer().is_some()))
}

pub(super) fn add(arguments: &[Value]) -> Evaluated {
    let (left, right) = (opaque::<Quantity>(&arguments[0])?, of_number(&arguments[1])?);
    make(compute(left, &right)?)?;
    made(left.plus(&right)?)
}

pub(super) fn sub(arguments: &[Value]) -> Evaluated {
    let (left, right) = (opaque::<Quantity>(&arguments[0])?, of_number(&arguments[1])?);
    make(compute(left, &right)?)?;
    made(left.minus(&right)?)
}
