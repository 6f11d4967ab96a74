//! Lists and sets.

use std::cmp::Ordering;
use std::sync::Arc;

use super::arguments::{elements, int, list, made};
use super::{Overload, row};
use crate::stack::deep;
use crate::value::{
    Evaluated, EvaluationError, List, Span, Value, add, compare, is_exhausted, is_same, look, look_through, make_list,
    may_have_elements,
};

pub(super) const OVERLOADS: &[Overload] = &[
    row("isSorted", "list_int_is_sorted_bool", "list(int).() -> bool", is_sorted),
    row("isSorted", "list_uint_is_sorted_bool", "list(uint).() -> bool", is_sorted),
    row("isSorted", "list_double_is_sorted_bool", "list(double).() -> bool", is_sorted),
    row("isSorted", "list_bool_is_sorted_bool", "list(bool).() -> bool", is_sorted),
    row("isSorted", "list_duration_is_sorted_bool", "list(duration).() -> bool", is_sorted),
    row("isSorted", "list_timestamp_is_sorted_bool", "list(timestamp).() -> bool", is_sorted),
    row("isSorted", "list_string_is_sorted_bool", "list(string).() -> bool", is_sorted),
    row("isSorted", "list_bytes_is_sorted_bool", "list(bytes).() -> bool", is_sorted),
    row("sum", "list_int_sum_int", "list(int).() -> int", sum_of_ints),
    row("sum", "list_uint_sum_uint", "list(uint).() -> uint", sum_of_uints),
    row("sum", "list_double_sum_double", "list(double).() -> double", sum_of_doubles),
    row("sum", "list_duration_sum_duration", "list(duration).() -> duration", sum_of_durations),
    row("max", "list_int_max_int", "list(int).() -> int", max),
    row("max", "list_uint_max_uint", "list(uint).() -> uint", max),
    row("max", "list_double_max_double", "list(double).() -> double", max),
    row("max", "list_bool_max_bool", "list(bool).() -> bool", max),
    row("max", "list_duration_max_duration", "list(duration).() -> duration", max),
    row("max", "list_timestamp_max_timestamp", "list(timestamp).() -> timestamp", max),
    row("max", "list_string_max_string", "list(string).() -> string", max),
    row("max", "list_bytes_max_bytes", "list(bytes).() -> bytes", max),
    row("min", "list_int_min_int", "list(int).() -> int", min),
    row("min", "list_uint_min_uint", "list(uint).() -> uint", min),
    row("min", "list_double_min_double", "list(double).() -> double", min),
    row("min", "list_bool_min_bool", "list(bool).() -> bool", min),
    row("min", "list_duration_min_duration", "list(duration).() -> duration", min),
    row("min", "list_timestamp_min_timestamp", "list(timestamp).() -> timestamp", min),
    row("min", "list_string_min_string", "list(string).() -> string", min),
    row("min", "list_bytes_min_bytes", "list(bytes).() -> bytes", min),
    row("indexOf", "list_a_index_of_int", "list(A).(A) -> int", index_of),
    row("lastIndexOf", "list_a_last_index_of_int", "list(A).(A) -> int", last_index_of),
    row("sets.contains", "list_sets_contains_list", "(list(A), list(A)) -> bool", set_contains),
    row("sets.equivalent", "list_sets_equivalent_list", "(list(A), list(A)) -> bool", set_equivalent),
    row("sets.intersects", "list_sets_intersects_list", "(list(A), list(A)) -> bool", set_intersects),
    row("slice", "list_slice", "list(T).(int, int) -> list(T)", slice).since(34),
    row("flatten", "list_flatten", "list(list(T)).() -> list(T)", flatten).since(34),
    row("flatten", "list_flatten_int", "list(dyn).(int) -> list(dyn)", flatten).since(34),
    row("sort", "list_int_sort", "list(int).() -> list(int)", sort).since(34),
    row("sort", "list_uint_sort", "list(uint).() -> list(uint)", sort).since(34),
    row("sort", "list_double_sort", "list(double).() -> list(double)", sort).since(34),
    row("sort", "list_bool_sort", "list(bool).() -> list(bool)", sort).since(34),
    row("sort", "list_google.protobuf.Duration_sort", "list(duration).() -> list(duration)", sort).since(34),
    row("sort", "list_google.protobuf.Timestamp_sort", "list(timestamp).() -> list(timestamp)", sort).since(34),
    row("sort", "list_string_sort", "list(string).() -> list(string)", sort).since(34),
    row("sort", "list_bytes_sort", "list(bytes).() -> list(bytes)", sort).since(34),
    row("@sortByAssociatedKeys", "list_int_sortByAssociatedKeys", "list(T).(list(int)) -> list(T)", sort_by_keys)
        .since(34),
    row("@sortByAssociatedKeys", "list_uint_sortByAssociatedKeys", "list(T).(list(uint)) -> list(T)", sort_by_keys)
        .since(34),
    row("@sortByAssociatedKeys", "list_double_sortByAssociatedKeys", "list(T).(list(double)) -> list(T)", sort_by_keys)
        .since(34),
    row("@sortByAssociatedKeys", "list_bool_sortByAssociatedKeys", "list(T).(list(bool)) -> list(T)", sort_by_keys)
        .since(34),
    row(
        "@sortByAssociatedKeys",
        "list_google.protobuf.Duration_sortByAssociatedKeys",
        "list(T).(list(duration)) -> list(T)",
        sort_by_keys,
    )
    .since(34),
    row(
        "@sortByAssociatedKeys",
        "list_google.protobuf.Timestamp_sortByAssociatedKeys",
        "list(T).(list(timestamp)) -> list(T)",
        sort_by_keys,
    )
    .since(34),
    row("@sortByAssociatedKeys", "list_string_sortByAssociatedKeys", "list(T).(list(string)) -> list(T)", sort_by_keys)
        .since(34),
    row("@sortByAssociatedKeys", "list_bytes_sortByAssociatedKeys", "list(T).(list(bytes)) -> list(T)", sort_by_keys)
        .since(34),
    row("lists.range", "lists_range", "(int) -> list(int)", range).since(34),
    row("reverse", "list_reverse", "list(T).() -> list(T)", reverse).since(34),
    row("includes", "list_includes_dyn_dyn", "dyn.(dyn) -> bool", includes).since(37),
    row("distinct", "list_distinct", "list(T).() -> list(T)", distinct).since(34),
];

fn is_sorted(arguments: &[Value]) -> Evaluated {
    let elements = ordered(&arguments[0])?;
    for pair in elements.windows(2) {
        if compare(&pair[0], &pair[1]).is_ok_and(Ordering::is_gt) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// The elements of a list.
///
/// Errors: one of them is of a type that has no order.
fn ordered(list_of: &Value) -> Result<Vec<Value>, EvaluationError> {
    let elements = elements(list(list_of)?)?;
    let has_no_order = |element: &Value| {
        matches!(
            element,
            Value::Null | Value::List(_) | Value::Map(_) | Value::Optional(_) | Value::Type(_) | Value::Opaque(_)
        )
    };
    if elements.iter().any(has_no_order) { Err(EvaluationError::no_such_overload()) } else { Ok(elements) }
}

fn sum_of_ints(arguments: &[Value]) -> Evaluated {
    sum(arguments, Value::Int(0))
}

fn sum_of_uints(arguments: &[Value]) -> Evaluated {
    sum(arguments, Value::Uint(0))
}

fn sum_of_doubles(arguments: &[Value]) -> Evaluated {
    sum(arguments, Value::Double(0.0))
}

fn sum_of_durations(arguments: &[Value]) -> Evaluated {
    sum(arguments, Value::Duration(Span::of_nanoseconds(0)))
}

fn sum(arguments: &[Value], nothing: Value) -> Evaluated {
    elements(list(&arguments[0])?)?.iter().try_fold(nothing, |sum, element| add(&sum, element))
}

fn max(arguments: &[Value]) -> Evaluated {
    first_by(arguments, "max", Ordering::Less)
}

fn min(arguments: &[Value]) -> Evaluated {
    first_by(arguments, "min", Ordering::Greater)
}

/// The element that stays when each one is compared with the next, and gives way if the order is so.
fn first_by(arguments: &[Value], function: &str, gives_way: Ordering) -> Evaluated {
    let stays = |best: Value, next: Value| match compare(&best, &next) {
        Ok(order) if order == gives_way => next,
        _ => best,
    };
    let best = ordered(&arguments[0])?.into_iter().reduce(stays);
    best.ok_or_else(|| EvaluationError::new(format!("{function} called on empty list")))
}

fn index_of(arguments: &[Value]) -> Evaluated {
    let elements = elements(list(&arguments[0])?)?;
    place_of(&arguments[1], elements.iter().enumerate())
}

fn last_index_of(arguments: &[Value]) -> Evaluated {
    let elements = elements(list(&arguments[0])?)?;
    place_of(&arguments[1], elements.iter().enumerate().rev())
}

/// The index of the first of these elements that is the same; -1 if there is none.
#[expect(clippy::cast_possible_wrap, reason = "no list has 2^63 elements")]
fn place_of<'a>(wanted: &Value, elements: impl Iterator<Item = (usize, &'a Value)>) -> Evaluated {
    for (index, element) in elements {
        if is_same(element, wanted)? {
            return Ok(Value::Int(index as i64));
        }
    }
    Ok(Value::Int(-1))
}

/// Whether a list has this element; a value of another kind is like a list of itself.
fn includes(arguments: &[Value]) -> Evaluated {
    let Value::List(list) = &arguments[0] else { return is_same(&arguments[0], &arguments[1]).map(Value::Bool) };
    for element in elements(&**list)? {
        if is_same(&element, &arguments[1])? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn set_contains(arguments: &[Value]) -> Evaluated {
    contains_all(list(&arguments[0])?, list(&arguments[1])?).map(Value::Bool)
}

fn contains_all(all: &dyn List, some: &dyn List) -> Result<bool, EvaluationError> {
    may_have_elements(all.size())?;
    for wanted in elements(some)? {
        if !all.has(&wanted)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn set_equivalent(arguments: &[Value]) -> Evaluated {
    let (left, right) = (list(&arguments[0])?, list(&arguments[1])?);
    Ok(Value::Bool(contains_all(left, right)? && contains_all(right, left)?))
}

fn set_intersects(arguments: &[Value]) -> Evaluated {
    let (left, right) = (elements(list(&arguments[0])?)?, list(&arguments[1])?);
    may_have_elements(right.size())?;
    for wanted in &left {
        match right.has(wanted) {
            Err(error) if is_exhausted() => return Err(error),
            Ok(true) => return Ok(Value::Bool(true)),
            _ => {}
        }
    }
    Ok(Value::Bool(false))
}

fn slice(arguments: &[Value]) -> Evaluated {
    let (list, start, end) = (list(&arguments[0])?, int(&arguments[1])?, int(&arguments[2])?);
    let impossible = |why: &str| Err(EvaluationError::new(format!("cannot slice({start}, {end}), {why}")));
    let (Ok(from), Ok(to)) = (usize::try_from(start), usize::try_from(end)) else {
        return impossible("negative indexes not supported");
    };
    if from > to {
        return impossible("start index must be less than or equal to end index");
    }
    if list.size() < to {
        return impossible(&format!("list is length {}", list.size()));
    }
    make_list(to - from)?;
    Ok(Value::list((from..to).map(|position| list.get(position)).collect::<Result<_, _>>()?))
}

fn flatten(arguments: &[Value]) -> Evaluated {
    let depth = arguments.get(1).map_or(Ok(1), int)?;
    if depth < 0 {
        return Err(EvaluationError::new("level must be non-negative"));
    }
    let mut flat = Vec::new();
    flatten_into(&mut flat, list(&arguments[0])?, depth)?;
    made(flat)
}

fn flatten_into(flat: &mut Vec<Value>, list: &dyn List, depth: i64) -> Result<(), EvaluationError> {
    for element in elements(list)? {
        may_have_elements(flat.len())?;
        look()?;
        match element {
            Value::List(inner) if depth > 0 => deep(|| flatten_into(flat, &*inner, depth - 1))?,
            other => flat.push(other),
        }
    }
    Ok(())
}

fn sort(arguments: &[Value]) -> Evaluated {
    sorted_by(&arguments[0], &arguments[0])
}

/// What `sortBy` calls.
fn sort_by_keys(arguments: &[Value]) -> Evaluated {
    sorted_by(&arguments[0], &arguments[1])
}

fn sorted_by(values: &Value, keys: &Value) -> Evaluated {
    let (values, keys) = (elements(list(values)?)?, elements(list(keys)?)?);
    if values.len() != keys.len() {
        return Err(EvaluationError::new(format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, \
             but got {} and {} elements respectively",
            values.len(),
            keys.len()
        )));
    }
    if keys.windows(2).any(|pair| pair[0].type_name() != pair[1].type_name()) {
        return Err(EvaluationError::new("list elements must have the same type"));
    }
    let mut pairs: Vec<(Value, Value)> = keys.into_iter().zip(values).collect();
    if pairs.first().is_some_and(|(key, _)| matches!(key, Value::List(_) | Value::Map(_) | Value::Null)) {
        return Err(EvaluationError::new("list elements must be comparable"));
    }
    // Texts that begin in the same way take long to compare.
    let bytes = pairs.iter().map(|(key, _)| if let Value::String(text) = key { text.len() } else { 0 }).sum::<usize>();
    look_through(bytes.saturating_mul(pairs.len().checked_ilog2().unwrap_or(0) as usize))?;
    // NaN is before everything, so that there is an order.
    let is_nan = |key: &Value| matches!(key, Value::Double(value) if value.is_nan());
    pairs.sort_by(|(left, _), (right, _)| compare(left, right).unwrap_or_else(|_| is_nan(right).cmp(&is_nan(left))));
    made(pairs.into_iter().map(|(_, value)| value).collect())
}

fn range(arguments: &[Value]) -> Evaluated {
    Ok(Value::List(Arc::new(Range { end: usize::try_from(int(&arguments[0])?).unwrap_or(0) })))
}

/// The integers below an end: made only when they are looked at, since there may be many.
#[derive(Debug)]
struct Range {
    end: usize,
}

impl List for Range {
    fn size(&self) -> usize {
        self.end
    }

    #[expect(clippy::cast_possible_wrap, reason = "the end was an integer")]
    fn get(&self, position: usize) -> Evaluated {
        Ok(Value::Int(position as i64))
    }
}

fn reverse(arguments: &[Value]) -> Evaluated {
    let mut elements = elements(list(&arguments[0])?)?;
    elements.reverse();
    made(elements)
}

fn distinct(arguments: &[Value]) -> Evaluated {
    let mut distinct: Vec<Value> = Vec::new();
    'elements: for element in elements(list(&arguments[0])?)? {
        for other in &distinct {
            if is_same(&element, other)? {
                continue 'elements;
            }
        }
        distinct.push(element);
    }
    made(distinct)
}
