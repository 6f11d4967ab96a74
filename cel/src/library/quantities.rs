//! What rules do with quantities.

use std::any::Any;
use std::sync::Arc;

use super::arguments::string;
use super::quantity::Quantity;
use crate::value::{Evaluated, EvaluationError, Opaque, Value};

impl Opaque for Quantity {
    fn type_name(&self) -> &'static str {
        "kubernetes.Quantity"
    }

    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError> {
        of(other).map(|other| self.order(other).is_eq())
    }

    fn print(&self) -> String {
        self.print()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn of(value: &Value) -> Result<&Quantity, EvaluationError> {
    let Value::Opaque(opaque) = value else { return Err(EvaluationError::no_such_overload()) };
    opaque.as_any().downcast_ref().ok_or_else(EvaluationError::no_such_overload)
}

/// A quantity, also of an integer.
fn of_number(value: &Value) -> Result<Quantity, EvaluationError> {
    match value {
        Value::Int(value) => Ok(Quantity::of_int(*value)),
        other => of(other).cloned(),
    }
}

fn made(quantity: Quantity) -> Evaluated {
    Ok(Value::Opaque(Arc::new(quantity)))
}

pub(super) fn quantity(arguments: &[Value]) -> Evaluated {
    made(Quantity::read(string(&arguments[0])?).map_err(EvaluationError::new)?)
}

pub(super) fn is_quantity(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(Quantity::read(string(&arguments[0])?).is_ok()))
}

pub(super) fn sign(arguments: &[Value]) -> Evaluated {
    Ok(Value::Int(of(&arguments[0])?.sign()))
}

pub(super) fn is_greater(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(of(&arguments[0])?.order(of(&arguments[1])?).is_gt()))
}

pub(super) fn is_less(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(of(&arguments[0])?.order(of(&arguments[1])?).is_lt()))
}

pub(super) fn compare(arguments: &[Value]) -> Evaluated {
    Ok(Value::Int(of(&arguments[0])?.order(of(&arguments[1])?) as i64))
}

pub(super) fn as_float(arguments: &[Value]) -> Evaluated {
    Ok(Value::Double(of(&arguments[0])?.as_float()))
}

pub(super) fn as_integer(arguments: &[Value]) -> Evaluated {
    let integer = of(&arguments[0])?.as_integer();
    integer.map(Value::Int).ok_or_else(|| EvaluationError::new("cannot convert value to integer"))
}

pub(super) fn is_integer(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(of(&arguments[0])?.as_integer().is_some()))
}

pub(super) fn add(arguments: &[Value]) -> Evaluated {
    made(of(&arguments[0])?.plus(&of_number(&arguments[1])?)?)
}

pub(super) fn sub(arguments: &[Value]) -> Evaluated {
    made(of(&arguments[0])?.minus(&of_number(&arguments[1])?)?)
}
