//! Values that may be absent.

use super::arguments::{elements, list, made};
use super::operators::by_the_plan;
use super::{Overload, row};
use crate::value::{Evaluated, EvaluationError, Value, look};

pub(super) const OVERLOADS: &[Overload] = &[
    row("optional.of", "optional_of", "(V) -> optional(V)", of),
    row("optional.ofNonZeroValue", "optional_ofNonZeroValue", "(V) -> optional(V)", of_non_zero),
    row("optional.none", "optional_none", "() -> optional(V)", none),
    row("value", "optional_value", "optional(V).() -> V", value),
    row("hasValue", "optional_hasValue", "optional(V).() -> bool", has_value),
    row("or", "optional_or_optional", "optional(V).(optional(V)) -> optional(V)", by_the_plan),
    row("orValue", "optional_orValue_value", "optional(V).(V) -> V", by_the_plan),
    row("last", "list_last", "list(V).() -> optional(V)", last),
    row("first", "list_first", "list(V).() -> optional(V)", first),
    row("optional.unwrap", "optional_unwrap", "(list(optional(V))) -> list(V)", unwrap),
    row("unwrapOpt", "optional_unwrapOpt", "list(optional(V)).() -> list(V)", unwrap),
];

fn of(arguments: &[Value]) -> Evaluated {
    Ok(Value::some(arguments[0].clone()))
}

fn of_non_zero(arguments: &[Value]) -> Evaluated {
    Ok(if arguments[0].is_zero() { Value::Optional(None) } else { Value::some(arguments[0].clone()) })
}

fn none(_: &[Value]) -> Evaluated {
    Ok(Value::Optional(None))
}

fn value(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        Value::Optional(Some(value)) => value.taken(),
        Value::Optional(None) => Err(EvaluationError::new("optional.none() dereference")),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

fn has_value(arguments: &[Value]) -> Evaluated {
    match &arguments[0] {
        Value::Optional(value) => Ok(Value::Bool(value.is_some())),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

fn first(arguments: &[Value]) -> Evaluated {
    at(arguments, |_| 0)
}

fn last(arguments: &[Value]) -> Evaluated {
    at(arguments, |size| size - 1)
}

fn at(arguments: &[Value], position: fn(usize) -> usize) -> Evaluated {
    let list = list(&arguments[0])?;
    match list.size() {
        0 => Ok(Value::Optional(None)),
        size => list.get(position(size)).map(Value::some),
    }
}

/// The values that are there.
fn unwrap(arguments: &[Value]) -> Evaluated {
    let mut values = Vec::new();
    for element in elements(list(&arguments[0])?)? {
        look()?;
        match element {
            Value::Optional(value) => values.extend(value.map(|value| value.value().clone())),
            other => {
                return Err(EvaluationError::new(format!("value {} is not optional", super::plain(&other))));
            }
        }
    }
    made(values)
}
