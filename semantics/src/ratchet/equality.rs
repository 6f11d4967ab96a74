//! Whether a value is unchanged (RATCHET-007, RATCHET-008).

use serde_json::{Map, Value};

use super::correlate::is_map_list;
use crate::{Schema, Semantics, json, prune::Child};

pub(crate) fn value(semantics: &Semantics, new: &Value, old: &Value, schema: &Schema) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(_)) => semantics.is_unchanged_object(new, old, schema),
        (Value::Array(new), Value::Array(_)) => semantics.is_unchanged_list(new, old, schema),
        _ => json::equal_as_written(new, old),
    }
}

pub(crate) fn object(semantics: &Semantics, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
    old.as_object().is_some_and(|old| old.len() == new.len())
        && new.iter().all(|(key, value)| match semantics.child(schema, key) {
            Child::Declared(child) | Child::MapValue(Some(child)) => {
                semantics.correlate_key(old, key, schema).is_some_and(|old| semantics.is_unchanged(value, old, child))
            }
            // Values without a schema never count as unchanged.
            Child::MapValue(None) | Child::Unknown => false,
        })
}

pub(crate) fn list(semantics: &Semantics, new: &[Value], old: &Value, schema: &Schema) -> bool {
    let Value::Array(before) = old else {
        return false;
    };
    if before.len() != new.len() {
        return false;
    }
    let Some(items) = schema.item_schema().filter(|_| is_map_list(schema)) else {
        return new.iter().zip(before).all(|(new, old)| json::equal_as_written(new, old));
    };
    let correlated = semantics.correlate_elements(new, old, schema);
    new.iter().zip(correlated).all(|(new, old)| old.is_some_and(|old| semantics.is_unchanged(new, old, items)))
}
