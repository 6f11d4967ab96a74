//! The correlation of new values with old ones (RATCHET-004..006).

use std::collections::HashMap;

use serde_json::Value;

use crate::{Schema, Semantics, prune::Child};

pub(crate) fn key<'o>(semantics: &Semantics, old: &'o Value, key: &str, schema: &Schema) -> Option<&'o Value> {
    match semantics.child(schema, key) {
        Child::Declared(_) | Child::MapValue(Some(_)) => old.as_object()?.get(key),
        Child::MapValue(None) | Child::Unknown => None,
    }
}

pub(crate) fn elements<'o>(
    semantics: &Semantics,
    elements: &[Value],
    old: &'o Value,
    schema: &Schema,
) -> Vec<Option<&'o Value>> {
    match old {
        Value::Array(old) if is_map_list(schema) => semantics.correlate_map_list(elements, old, &schema.list_map_keys),
        _ => vec![None; elements.len()],
    }
}

/// Whether a list is a map list.
pub fn is_map_list(schema: &Schema) -> bool {
    schema.list_type.as_deref() == Some("map")
}

pub(crate) fn map_list<'o>(elements: &[Value], old: &'o [Value], keys: &[String]) -> Vec<Option<&'o Value>> {
    let mut by_keys: HashMap<Vec<Key<'_>>, &'o Value> = HashMap::with_capacity(old.len());
    for element in old {
        if let Some(tuple) = tuple(element, keys) {
            // If several old elements have the same keys, the first one is used.
            by_keys.entry(tuple).or_insert(element);
        }
    }
    elements.iter().map(|element| by_keys.get(&tuple(element, keys)?).copied()).collect()
}

/// The value of one key. Numbers are equal if their values and their notations (integer or float) are.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Flag(bool),
    Integer(i64),
    Float(u64),
    Text(&'a str),
}

/// The values of all keys of an element. Returns `None` if one is missing or not a scalar.
fn tuple<'a>(element: &'a Value, keys: &[String]) -> Option<Vec<Key<'a>>> {
    if keys.is_empty() {
        return None;
    }
    let element = element.as_object()?;
    keys.iter()
        .map(|key| match element.get(key)? {
            Value::Bool(flag) => Some(Key::Flag(*flag)),
            Value::String(text) => Some(Key::Text(text)),
            Value::Number(number) => match number.as_i64() {
                Some(integer) => Some(Key::Integer(integer)),
                None => number.as_f64().map(|float| Key::Float((float + 0.0).to_bits())),
            },
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        })
        .collect()
}
