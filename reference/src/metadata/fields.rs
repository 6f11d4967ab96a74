//! Access to the fields of `metadata`, for objects whose metadata is well typed (PRUNE-016).

use serde_json::{Map, Value};

/// `metadata`, if present.
pub(crate) fn metadata(object: &Value) -> Option<&Map<String, Value>> {
    object.get("metadata")?.as_object()
}

/// `metadata`, created if it is missing or not an object. `None` if `object` is not an object.
pub(crate) fn metadata_mut(object: &mut Value) -> Option<&mut Map<String, Value>> {
    let metadata = object.as_object_mut()?.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    if !metadata.is_object() {
        *metadata = Value::Object(Map::new());
    }
    metadata.as_object_mut()
}

/// A string field; empty if absent.
pub(crate) fn text<'o>(object: &'o Value, field: &str) -> &'o str {
    metadata(object).and_then(|metadata| metadata.get(field)).and_then(Value::as_str).unwrap_or_default()
}

/// Sets a field.
pub(crate) fn set(object: &mut Value, field: &str, value: impl Into<Value>) {
    if let Some(metadata) = metadata_mut(object) {
        metadata.insert(field.to_owned(), value.into());
    }
}

/// Removes a field and returns its value.
pub(crate) fn take(object: &mut Value, field: &str) -> Option<Value> {
    object.get_mut("metadata").and_then(Value::as_object_mut)?.remove(field)
}

/// Sets a field to a value, or removes it.
pub(crate) fn put(object: &mut Value, field: &str, value: Option<Value>) {
    match value {
        Some(value) => set(object, field, value),
        None => remove(object, field),
    }
}

/// Removes a field.
pub(crate) fn remove(object: &mut Value, field: &str) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove(field);
    }
}

/// Copies a field from another object; removes it if it is absent there.
pub(crate) fn take_over(object: &mut Value, field: &str, from: &Value) {
    match metadata(from).and_then(|metadata| metadata.get(field)) {
        Some(value) => set(object, field, value.clone()),
        None => remove(object, field),
    }
}

/// `generation`; 0 if absent.
pub(crate) fn generation(object: &Value) -> i64 {
    metadata(object).and_then(|metadata| metadata.get("generation")).and_then(Value::as_i64).unwrap_or_default()
}

/// `finalizers`.
pub(crate) fn finalizers(object: &Value) -> impl Iterator<Item = &str> {
    let list = metadata(object).and_then(|metadata| metadata.get("finalizers")).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

/// Sets `finalizers`; removes the field if the list is empty.
pub(crate) fn set_finalizers(object: &mut Value, finalizers: Vec<String>) {
    if finalizers.is_empty() {
        remove(object, "finalizers");
    } else {
        set(object, "finalizers", finalizers);
    }
}

/// Whether the object is being deleted.
pub(crate) fn is_terminating(object: &Value) -> bool {
    !text(object, "deletionTimestamp").is_empty()
}

/// Whether two objects differ outside `metadata`.
pub(crate) fn differ_outside_metadata(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else {
        return one != other;
    };
    let outside = |object: &Map<String, Value>| object.len() - usize::from(object.contains_key("metadata"));
    outside(one) != outside(other) || one.iter().any(|(key, value)| key != "metadata" && other.get(key) != Some(value))
}
