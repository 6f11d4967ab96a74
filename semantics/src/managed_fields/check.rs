//! Checks whether a value can be tracked by its type: only the kinds of values matter, not whether they are
//! valid (REST-036).

use serde_json::Value;
use thiserror::Error;

use super::element::Element;
use super::types::{FieldType, Form, List, Scalar, Topology};

/// A value does not match its type, or the elements of a list cannot be distinguished.
#[derive(Debug, Error)]
#[error("the value does not match its type")]
pub struct Untyped;

/// Whether lists may contain duplicate elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// Elements may occur more than once.
    Allowed,
    /// A duplicate makes the value one that cannot be tracked.
    Refused,
}

/// Checks a value against its type; null matches every type.
pub(crate) fn check(known: &FieldType, value: &Value, duplicates: Duplicates) -> Result<(), Untyped> {
    match known.form(known.kinds(Some(value))).ok_or(Untyped)? {
        _ if value.is_null() => Ok(()),
        Form::Scalar(scalar) if is_scalar(scalar, value) => Ok(()),
        Form::Scalar(_) => Err(Untyped),
        Form::List(list) => {
            let items = value.as_array().ok_or(Untyped)?;
            check_elements(list, items, duplicates)?;
            items.iter().try_for_each(|item| check(list.items.get(), item, duplicates))
        }
        Form::Map(map) => {
            let mut members = value.as_object().ok_or(Untyped)?.iter();
            members.try_for_each(|(name, member)| check(map.at(name).ok_or(Untyped)?.get(), member, duplicates))
        }
    }
}

/// Whether a value is a scalar of this kind; null always is.
pub(super) fn is_scalar(scalar: Scalar, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Number(_) => matches!(scalar, Scalar::Number | Scalar::Any),
        Value::String(_) => matches!(scalar, Scalar::Text | Scalar::Any),
        Value::Bool(_) => matches!(scalar, Scalar::Flag | Scalar::Any),
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn check_elements(list: &List, items: &[Value], duplicates: Duplicates) -> Result<(), Untyped> {
    if matches!(list.topology, Topology::Atomic) {
        return Ok(());
    }
    if duplicates == Duplicates::Allowed {
        return if items.iter().all(|item| is_identified(list, item)) { Ok(()) } else { Err(Untyped) };
    }
    let mut elements = items.iter().map(|item| element(list, item)).collect::<Result<Vec<_>, _>>()?;
    elements.sort_unstable();
    if elements.windows(2).any(|pair| pair[0] == pair[1]) { Err(Untyped) } else { Ok(()) }
}

/// Whether an element of a list is identified by something other than its index.
fn is_identified(list: &List, item: &Value) -> bool {
    match (&list.topology, item) {
        (Topology::Set, Value::Number(_) | Value::String(_) | Value::Bool(_)) => true,
        (Topology::Map(keys), Value::Object(members)) => {
            keys.iter().any(|(key, default)| default.is_some() || members.contains_key(key))
        }
        _ => false,
    }
}

/// What identifies an element of a list, if not its index.
pub(super) fn element(list: &List, item: &Value) -> Result<Element, Untyped> {
    if !is_identified(list, item) {
        return Err(Untyped);
    }
    let Topology::Map(keys) = &list.topology else { return Ok(Element::Value(item.clone())) };
    let present = keys.iter().filter_map(|(key, default)| {
        let value = item.get(key).or(default.as_ref())?;
        Some((key.clone(), value.clone()))
    });
    Ok(Element::Key(present.collect()))
}
