//! Operators, as functions.

use std::sync::Arc;

use super::{Overload, plain, row};
use crate::value::{
    Evaluated, EvaluationError, List, Map, PlainList, PlainMap, Value, add, divide, entries, may_have_elements, modulo,
    multiply, negate, subtract,
};

pub(super) const OVERLOADS: &[Overload] = &[
    row("_?_:_", "conditional", "(bool, A, A) -> A", by_the_plan),
    row("_&&_", "logical_and", "(bool, bool) -> bool", by_the_plan),
    row("_||_", "logical_or", "(bool, bool) -> bool", by_the_plan),
    row("!_", "logical_not", "(bool) -> bool", not),
    row("@not_strictly_false", "not_strictly_false", "(bool) -> bool", by_the_plan),
    row("_==_", "equals", "(A, A) -> bool", by_the_plan),
    row("_!=_", "not_equals", "(A, A) -> bool", by_the_plan),
    row("_+_", "add_bytes", "(bytes, bytes) -> bytes", sum),
    row("_+_", "add_double", "(double, double) -> double", sum),
    row("_+_", "add_duration_duration", "(duration, duration) -> duration", sum),
    row("_+_", "add_duration_timestamp", "(duration, timestamp) -> timestamp", sum),
    row("_+_", "add_timestamp_duration", "(timestamp, duration) -> timestamp", sum),
    row("_+_", "add_int64", "(int, int) -> int", sum),
    row("_+_", "add_list", "(list(A), list(A)) -> list(A)", sum),
    row("_+_", "add_string", "(string, string) -> string", sum),
    row("_+_", "add_uint64", "(uint, uint) -> uint", sum),
    row("_/_", "divide_double", "(double, double) -> double", quotient),
    row("_/_", "divide_int64", "(int, int) -> int", quotient),
    row("_/_", "divide_uint64", "(uint, uint) -> uint", quotient),
    row("_%_", "modulo_int64", "(int, int) -> int", remainder),
    row("_%_", "modulo_uint64", "(uint, uint) -> uint", remainder),
    row("_*_", "multiply_double", "(double, double) -> double", product),
    row("_*_", "multiply_int64", "(int, int) -> int", product),
    row("_*_", "multiply_uint64", "(uint, uint) -> uint", product),
    row("-_", "negate_double", "(double) -> double", opposite),
    row("-_", "negate_int64", "(int) -> int", opposite),
    row("_-_", "subtract_double", "(double, double) -> double", difference),
    row("_-_", "subtract_duration_duration", "(duration, duration) -> duration", difference),
    row("_-_", "subtract_int64", "(int, int) -> int", difference),
    row("_-_", "subtract_timestamp_duration", "(timestamp, duration) -> timestamp", difference),
    row("_-_", "subtract_timestamp_timestamp", "(timestamp, timestamp) -> duration", difference),
    row("_-_", "subtract_uint64", "(uint, uint) -> uint", difference),
    row("_[_]", "index_list", "(list(A), int) -> A", by_the_plan),
    row("_[_]", "index_map", "(map(A, B), A) -> B", by_the_plan),
    row("_[_]", "optional_list_index_int", "(optional(list(V)), int) -> optional(V)", by_the_plan),
    row("_[_]", "optional_map_index_value", "(optional(map(K, V)), K) -> optional(V)", by_the_plan),
    row("_[?_]", "list_optindex_optional_int", "(list(V), int) -> optional(V)", by_the_plan),
    row("_[?_]", "optional_list_optindex_optional_int", "(optional(list(V)), int) -> optional(V)", by_the_plan),
    row("_[?_]", "map_optindex_optional_value", "(map(K, V), K) -> optional(V)", by_the_plan),
    row("_[?_]", "optional_map_optindex_optional_value", "(optional(map(K, V)), K) -> optional(V)", by_the_plan),
    row("_?._", "select_optional_field", "(dyn, string) -> optional(V)", by_the_plan),
    row("@in", "in_list", "(A, list(A)) -> bool", contains),
    row("@in", "in_map", "(A, map(A, B)) -> bool", contains),
    row("cel.@mapInsert", "@mapInsert_map_key_value", "(map(K, V), K, V) -> map(K, V)", by_the_plan),
    row("cel.@mapInsert", "@mapInsert_map_map", "(map(K, V), map(K, V)) -> map(K, V)", by_the_plan),
];

/// The plan has a step of its own for it.
pub(super) fn by_the_plan(_: &[Value]) -> Evaluated {
    Err(EvaluationError::no_such_overload())
}

fn not(arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Bool(value)] => Ok(Value::Bool(!value)),
        _ => Err(EvaluationError::no_such_overload()),
    }
}

fn sum(arguments: &[Value]) -> Evaluated {
    add(&arguments[0], &arguments[1])
}

fn difference(arguments: &[Value]) -> Evaluated {
    subtract(&arguments[0], &arguments[1])
}

fn product(arguments: &[Value]) -> Evaluated {
    multiply(&arguments[0], &arguments[1])
}

fn quotient(arguments: &[Value]) -> Evaluated {
    divide(&arguments[0], &arguments[1])
}

fn remainder(arguments: &[Value]) -> Evaluated {
    modulo(&arguments[0], &arguments[1])
}

fn opposite(arguments: &[Value]) -> Evaluated {
    negate(&arguments[0])
}

/// `a in list`, `a in map`
fn contains(arguments: &[Value]) -> Evaluated {
    match arguments {
        [value, Value::List(list)] => list.has(value).map(Value::Bool),
        [key, Value::Map(map)] => match map.get(key) {
            Some(value) => value.map(|_| Value::Bool(true)),
            None => Ok(Value::Bool(false)),
        },
        _ => Err(EvaluationError::no_such_overload()),
    }
}

/// The next accumulator of a loop: a list or a map that nothing else has is changed in place.
pub(crate) fn accumulated(mut arguments: Vec<Value>) -> Evaluated {
    match &mut arguments[..] {
        [Value::List(list), Value::List(more)] => append(list, &**more)?,
        [Value::Map(map), key, value] => insert(map, key.clone(), value.clone())?,
        [Value::Map(map), Value::Map(more)] => {
            for (key, value) in entries(&**more)? {
                insert(map, key, value)?;
            }
        }
        _ => return sum(&arguments),
    }
    Ok(arguments.swap_remove(0))
}

/// Adds the elements of another list.
fn append(list: &mut Arc<dyn List>, more: &dyn List) -> Result<(), EvaluationError> {
    let own = PlainList::own(list)?;
    may_have_elements(own.size().saturating_add(more.size()))?;
    for position in 0..more.size() {
        own.push(more.get(position)?);
    }
    Ok(())
}

/// Adds an entry.
fn insert(map: &mut Arc<dyn Map>, key: Value, value: Value) -> Result<(), EvaluationError> {
    if map.get(&key).is_some() {
        return Err(EvaluationError::new(format!("insert failed: key {} already exists", plain(&key))));
    }
    PlainMap::own(map)?.insert(key, value);
    Ok(())
}
