//! The field of `metadata` that holds the managers.

use serde_json::{Map, Value};

/// The metadata field.
const FIELD: &str = "managedFields";

/// The entries of an object, if it has any.
pub(super) fn present(object: &Value) -> Option<&Vec<Value>> {
    object.get("metadata")?.get(FIELD)?.as_array()
}

/// Removes the field and returns its value.
pub(super) fn take(object: &mut Value) -> Option<Value> {
    object.get_mut("metadata")?.as_object_mut()?.remove(FIELD)
}

/// Sets the entries; removes the field if there are none.
pub(super) fn set(object: &mut Value, entries: Vec<Value>) {
    if entries.is_empty() {
        take(object);
        return;
    }
    let Some(members) = object.as_object_mut() else { return };
    let metadata = members.entry("metadata").or_insert(Value::Null);
    if !metadata.is_object() {
        *metadata = Map::new().into();
    }
    metadata[FIELD] = entries.into();
}
