//! Edits of values that a server must report, undo or ignore.

use crdible_semantics::{Schema, pointer};
use serde_json::Value;

use crate::choice::Choices;
use crate::json::Json;
use crate::names::{self, is_meta_field};
use crate::value;
use crate::walk::{objects_in, places};

/// At most this many unknown keys: the server truncates the warnings of a response at about 4 KiB (VER-013).
const UNKNOWN_KEYS: usize = 4;

/// Adds undeclared keys to objects that prune them (not at preserving nodes or maps), at least one if possible. Returns
/// the paths as the server reports them (PRUNE-028), sorted as text; empty if no object can have one.
///
/// `value` is the content of an object with a root schema, or a value with a sub-schema.
pub fn plant_unknown(c: &mut Choices, schema: &Schema, value: &mut Value) -> Vec<String> {
    let candidates: Vec<(String, String, &Schema)> = objects_in(schema, value)
        .into_iter()
        .filter(|place| !place.is_preserved && !place.is_embedded_metadata)
        .filter(|place| place.schema.additional_properties.is_none())
        .map(|place| (place.pointer, place.field, place.schema))
        .collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let mut planted = Vec::new();
    c.many_average("planted key", 1, UNKNOWN_KEYS, 1, |c, _| {
        let (pointer, field, node) = c.pick(&candidates);
        let Some(Value::Object(object)) = value.pointer_mut(pointer) else {
            return;
        };
        let has_meta_fields = pointer.is_empty() || node.embedded_resource;
        let is_taken = |name: &str| {
            object.contains_key(name)
                || node.properties.contains_key(name)
                || (has_meta_fields && is_meta_field(name))
                // REST-013 has a defect here.
                || (pointer.is_empty() && name == "items")
        };
        if let Some(name) = c.free_name(names::UNKNOWN_KEYS, is_taken) {
            let content = value::json(c, 2);
            object.insert(name.to_owned(), content);
            planted.push(if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") });
        }
    });
    planted.sort_unstable();
    planted
}

/// Adds nulls at declared properties that are absent and not nullable, at least one if possible; existing keys do not
/// change. Returns the JSON pointers of the nulls. The result has the same meaning as before (INV-011).
pub fn plant_nulls(c: &mut Choices, schema: &Schema, value: &mut Value) -> Vec<String> {
    let mut candidates = Vec::new();
    for place in objects_in(schema, value) {
        if place.is_embedded_metadata {
            continue;
        }
        let has_meta_fields = place.pointer.is_empty() || place.schema.embedded_resource;
        for (name, property) in &place.schema.properties {
            let is_free = place.value.get(name).is_none() && !property.nullable;
            if is_free && !(has_meta_fields && is_meta_field(name)) {
                candidates.push((place.pointer.clone(), name.clone()));
            }
        }
    }
    if candidates.is_empty() {
        return Vec::new();
    }
    let mut planted = Vec::new();
    c.many_average("planted null", 1, candidates.len(), 1, |c, _| {
        let (pointer, name) = c.pick(&candidates);
        if let Some(Value::Object(object)) = value.pointer_mut(pointer)
            && !object.contains_key(name)
        {
            object.insert(name.clone(), Value::Null);
            planted.push(pointer::join(pointer, name));
        }
    });
    planted.sort_unstable();
    planted
}

/// Removes some of the keys that are not required or have a default; a valid value stays valid. Returns the JSON
/// pointers of the removed keys.
pub fn omit_keys(c: &mut Choices, schema: &Schema, value: &mut Value) -> Vec<String> {
    let mut candidates = Vec::new();
    for place in objects_in(schema, value) {
        // An object with a minimum number of keys keeps all of them.
        if place.schema.values.min_properties.is_some_and(|least| least > 0) {
            continue;
        }
        for (name, property) in &place.schema.properties {
            let is_needed = place.schema.values.required.contains(name) && property.default.is_none();
            let is_meta_field = place.schema.embedded_resource && is_meta_field(name);
            if place.value.get(name).is_some() && !is_needed && !is_meta_field {
                candidates.push((place.pointer.clone(), name.clone()));
            }
        }
    }
    // Elements of sets and map lists must not become equal.
    let keyed = places(schema, value)
        .into_iter()
        .filter(|place| matches!(place.schema.list_type.as_deref(), Some("map" | "set")))
        .map(|place| format!("{}/", place.pointer))
        .collect::<Vec<_>>();
    candidates.retain(|(pointer, _)| !keyed.iter().any(|list| pointer.starts_with(list)));
    let mut left_out = Vec::new();
    for (pointer, name) in candidates {
        let place = pointer::join(&pointer, &name);
        // One key in three is removed.
        if c.keyed(&place, |c| c.chance(1, 3))
            && let Some(Value::Object(object)) = value.pointer_mut(&pointer)
            && object.remove(&name).is_some()
        {
            left_out.push(place);
        }
    }
    left_out
}

/// Puts the keys of every object into a drawn order; the simplest is the sorted order.
pub fn shuffle_keys(c: &mut Choices, value: &Value) -> Json {
    match value {
        Value::Array(elements) => Json::Array(elements.iter().map(|element| shuffle_keys(c, element)).collect()),
        Value::Object(object) => {
            let mut entries: Vec<(String, Json)> =
                object.iter().map(|(key, value)| (key.clone(), shuffle_keys(c, value))).collect();
            // Fisher-Yates from the front: all zeros change nothing.
            for index in 0..entries.len() {
                let rest = entries.len() - index - 1;
                let other = index + c.up_to(rest);
                entries.swap(index, other);
            }
            Json::Object(entries)
        }
        scalar => Json::from(scalar),
    }
}
