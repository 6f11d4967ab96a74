//! JSON values taken apart: what a pointer leads to.

// Several test programs use it, each a part of it.
#![allow(dead_code)]

use serde_json::{Map, Value};

/// A body; null if it is no JSON.
pub(crate) fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

/// The text there; empty if there is none.
pub(crate) fn text<'a>(of: &'a Value, pointer: &str) -> &'a str {
    of.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The fields of the object there.
pub(crate) fn fields<'a>(of: &'a mut Value, pointer: &str) -> Option<&'a mut Map<String, Value>> {
    of.pointer_mut(pointer)?.as_object_mut()
}

/// The list there.
pub(crate) fn list<'a>(of: &'a mut Value, pointer: &str) -> Option<&'a mut Vec<Value>> {
    of.pointer_mut(pointer)?.as_array_mut()
}

/// The elements of the list there.
pub(crate) fn elements<'a>(of: &'a mut Value, pointer: &str) -> impl Iterator<Item = &'a mut Value> + use<'a> {
    list(of, pointer).into_iter().flatten()
}

/// Removes the field there, and returns it.
pub(crate) fn remove(of: &mut Value, pointer: &str) -> Option<Value> {
    let (parent, name) = pointer.rsplit_once('/')?;
    fields(of, parent)?.remove(name)
}

/// Counts the generation that an object shows up.
pub(crate) fn count_up(object: &mut Value) {
    if let Some(generation) = object.pointer("/metadata/generation").and_then(Value::as_i64) {
        object["metadata"]["generation"] = (generation + 1).into();
    }
}

/// The objects of a list.
pub(crate) fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list["items"].as_array().into_iter().flatten()
}
