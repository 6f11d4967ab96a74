//! Edits that a server must not let through, or must make no difference of.

use crdible_semantics::Schema;
use serde_json::Value;

use super::walk::{objects_in, pointer_key};
use crate::choice::Choices;
use crate::json::Json;
use crate::{names, value};

/// How many unknown keys are planted at most: the server cuts the warnings of one answer off at about 4 KiB (VER-013).
const UNKNOWN_KEYS: usize = 4;

/// Adds undeclared keys, at least one if there is a place, to objects that keep none: not at preserving nodes and not at maps. Gives the
/// path of each as the server reports it (PRUNE-028), sorted as text; none if there is no place.
///
/// `value` is the content of an object of a root schema, or a value of a sub-schema.
pub fn plant_unknown(c: &mut Choices, schema: &Schema, value: &mut Value) -> Vec<String> {
    let spots: Vec<(String, String, &Schema)> = objects_in(schema, value)
        .into_iter()
        .filter(|place| !place.is_preserved && !place.is_embedded_metadata)
        .filter(|place| place.schema.additional_properties.is_none())
        .map(|place| (place.pointer, place.field, place.schema))
        .collect();
    if spots.is_empty() {
        return Vec::new();
    }
    let mut planted = Vec::new();
    c.many_average("planted key", 1, UNKNOWN_KEYS, 1, |c, _| {
        let (pointer, field, node) = c.pick(&spots);
        let Some(Value::Object(object)) = value.pointer_mut(pointer) else {
            return;
        };
        let has_meta_fields = pointer.is_empty() || node.embedded_resource;
        let is_taken = |name: &str| {
            object.contains_key(name)
                || node.properties.contains_key(name)
                || (has_meta_fields && value::is_meta_field(name))
                // A defect of REST-013.
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

/// Adds nulls, at least one if there is a place, at declared properties that are absent and not nullable: no key that was
/// there changes. Gives their JSON pointers. The result means the same as before (INV-011).
pub fn plant_nulls(c: &mut Choices, schema: &Schema, value: &mut Value) -> Vec<String> {
    let mut spots = Vec::new();
    for place in objects_in(schema, value) {
        if place.is_embedded_metadata {
            continue;
        }
        let has_meta_fields = place.pointer.is_empty() || place.schema.embedded_resource;
        for (name, property) in &place.schema.properties {
            let is_free = place.value.get(name).is_none() && !property.nullable;
            if is_free && !(has_meta_fields && value::is_meta_field(name)) {
                let place = format!("{}/{}", place.pointer, pointer_key(name));
                spots.push((place, name.clone()));
            }
        }
    }
    if spots.is_empty() {
        return Vec::new();
    }
    let mut planted = Vec::new();
    c.many_average("planted null", 1, spots.len(), 1, |c, _| {
        let (place, name) = c.pick(&spots);
        let pointer = place.rsplit_once('/').map_or("", |(pointer, _)| pointer);
        if let Some(Value::Object(object)) = value.pointer_mut(pointer)
            && !object.contains_key(name)
        {
            object.insert(name.clone(), Value::Null);
            planted.push(place.clone());
        }
    });
    planted.sort_unstable();
    planted
}

/// Removes some of the keys that are not required, or that have a default; a value that was valid stays valid. Gives the JSON
/// pointers of what went.
pub fn leave_out(c: &mut Choices, schema: &Schema, value: &mut Value) -> Vec<String> {
    let mut spots = Vec::new();
    for place in objects_in(schema, value) {
        // With a least number of keys, none is taken.
        if place.schema.values.min_properties.is_some_and(|least| least > 0) {
            continue;
        }
        for (name, property) in &place.schema.properties {
            let is_needed = place.schema.values.required.contains(name) && property.default.is_none();
            let is_meta_field = place.schema.embedded_resource && value::is_meta_field(name);
            if place.value.get(name).is_some() && !is_needed && !is_meta_field {
                spots.push((place.pointer.clone(), name.clone()));
            }
        }
    }
    // Elements of sets and map lists must not become equal.
    let keyed = super::places(schema, value)
        .into_iter()
        .filter(|place| matches!(place.schema.list_type.as_deref(), Some("map" | "set")))
        .map(|place| format!("{}/", place.pointer))
        .collect::<Vec<_>>();
    spots.retain(|(pointer, _)| !keyed.iter().any(|list| pointer.starts_with(list)));
    let mut left_out = Vec::new();
    for (pointer, name) in spots {
        let place = format!("{pointer}/{}", pointer_key(&name));
        // One key in three goes.
        if c.keyed(&place, |c| c.chance(1, 3))
            && let Some(Value::Object(object)) = value.pointer_mut(&pointer)
            && object.remove(&name).is_some()
        {
            left_out.push(place);
        }
    }
    left_out
}

/// The value with the keys of every object in a drawn order; the simplest order is that of the text order of keys.
pub fn shuffle_keys(c: &mut Choices, value: &Value) -> Json {
    match value {
        Value::Array(elements) => Json::Array(elements.iter().map(|element| shuffle_keys(c, element)).collect()),
        Value::Object(object) => {
            let mut entries: Vec<(String, Json)> =
                object.iter().map(|(key, value)| (key.clone(), shuffle_keys(c, value))).collect();
            // Fisher and Yates from the front: all zeros change nothing.
            for index in 0..entries.len() {
                let rest = entries.len() - index - 1;
                let other = index + usize::try_from(c.draw(rest as u64)).unwrap_or(0);
                entries.swap(index, other);
            }
            Json::Object(entries)
        }
        scalar => Json::from(scalar),
    }
}
