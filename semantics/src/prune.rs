//! Pruning: removal of fields that the structural part of a schema does not declare (chapter 3.1).

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::{FieldPath, Schema, Semantics};

/// The keys that every resource keeps, declared or not (PRUNE-013, PRUNE-014).
pub(crate) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// How the structural part of a schema declares a key of an object.
#[derive(Clone, Copy, Debug)]
pub enum Child<'s> {
    /// The key is in `properties`.
    Declared(&'s Schema),
    /// The key is a map key: `additionalProperties` applies. `None` if that is `true` or `false`.
    MapValue(Option<&'s Schema>),
    /// The schema does not declare the key.
    Unknown,
}

impl<'s> Child<'s> {
    /// The schema of the value, if it has one.
    pub fn schema(self) -> Option<&'s Schema> {
        match self {
            Self::Declared(schema) => Some(schema),
            Self::MapValue(schema) => schema,
            Self::Unknown => None,
        }
    }
}

pub(crate) fn child<'s>(schema: &'s Schema, key: &str) -> Child<'s> {
    match schema.properties.get(key) {
        Some(property) => Child::Declared(property),
        None if schema.additional_properties.is_some() => Child::MapValue(schema.value_schema()),
        None => Child::Unknown,
    }
}

pub(crate) fn node(
    semantics: &Semantics,
    value: &mut Value,
    schema: Option<&Schema>,
    keeps_meta: bool,
    path: &FieldPath<'_>,
    removed: &mut Vec<String>,
) {
    let Some(schema) = schema else {
        return semantics.prune_unspecified(value, path, removed);
    };
    if semantics.preserves_unknown_fields(schema) {
        return semantics.prune_preserved(value, schema, keeps_meta, path, removed);
    }
    match value {
        Value::Object(object) => semantics.prune_object(object, schema, keeps_meta, path, removed),
        Value::Array(elements) => semantics.prune_array(elements, schema, path, removed),
        // PRUNE-007: scalars are kept under any type.
        _ => {}
    }
}

pub(crate) fn object(
    semantics: &Semantics,
    object: &mut Map<String, Value>,
    schema: &Schema,
    keeps_meta: bool,
    path: &FieldPath<'_>,
    removed: &mut Vec<String>,
) {
    object.retain(|key, value| {
        let is_known = prune_member(semantics, key, value, schema, keeps_meta, path, removed);
        if !is_known {
            removed.push(path.name(key).to_string());
            crate::json::dismantle(value.take());
        }
        is_known
    });
}

/// Prunes the value of a key. Returns whether the schema declares the key, or objects here keep it as a meta field.
fn prune_member(
    semantics: &Semantics,
    key: &str,
    value: &mut Value,
    schema: &Schema,
    keeps_meta: bool,
    path: &FieldPath<'_>,
    removed: &mut Vec<String>,
) -> bool {
    if keeps_meta && META_FIELDS.contains(&key) {
        return true;
    }
    let path = path.name(key);
    match semantics.child(schema, key) {
        Child::Declared(child) => {
            semantics.prune_node(value, Some(child), semantics.keeps_meta_fields(child, false), &path, removed);
        }
        Child::MapValue(child) => semantics.prune_map_value(value, child, &path, removed),
        Child::Unknown => return false,
    }
    true
}

pub(crate) fn array(
    semantics: &Semantics,
    elements: &mut [Value],
    schema: &Schema,
    path: &FieldPath<'_>,
    removed: &mut Vec<String>,
) {
    let items = schema.item_schema();
    let keeps_meta = items.is_some_and(|items| semantics.keeps_meta_fields(items, false));
    for (index, element) in elements.iter_mut().enumerate() {
        semantics.prune_node(element, items, keeps_meta, &path.index(index), removed);
    }
}

pub(crate) fn preserved(
    semantics: &Semantics,
    value: &mut Value,
    schema: &Schema,
    keeps_meta: bool,
    path: &FieldPath<'_>,
    removed: &mut Vec<String>,
) {
    match value {
        Value::Object(object) => {
            if schema.properties.is_empty() && schema.additional_properties.is_none() {
                return;
            }
            for (key, value) in object.iter_mut() {
                prune_member(semantics, key, value, schema, keeps_meta, path, removed);
            }
        }
        Value::Array(elements) => {
            // PRUNE-009: if the list is preserved, so are its elements, even if `items` does not declare it.
            let Some(items) = schema.item_schema() else { return };
            let keeps_meta = semantics.keeps_meta_fields(items, false);
            for (index, element) in elements.iter_mut().enumerate() {
                semantics.prune_preserved(element, items, keeps_meta, &path.index(index), removed);
            }
        }
        _ => {}
    }
}

/// Empties objects and descends into arrays (PRUNE-005). Not recursive, because here the schema does not bound the
/// depth.
pub fn unspecified(value: &mut Value, path: &FieldPath<'_>, removed: &mut Vec<String>) {
    // The position of each array: its parent's index in this list, and its index in the parent.
    let mut positions: Vec<(Option<usize>, usize)> = Vec::new();
    let mut open: Vec<(&mut Value, Option<usize>)> = vec![(value, None)];
    while let Some((value, position)) = open.pop() {
        match value {
            Value::Object(object) => {
                let place = path_text(path, position, &positions);
                let dot = if place.is_empty() { "" } else { "." };
                removed.extend(object.keys().map(|key| format!("{place}{dot}{key}")));
                crate::json::dismantle(Value::Object(std::mem::take(object)));
            }
            Value::Array(elements) => {
                for (index, element) in elements.iter_mut().enumerate() {
                    if element.is_array() || element.is_object() {
                        positions.push((position, index));
                        open.push((element, Some(positions.len() - 1)));
                    }
                }
            }
            _ => {}
        }
    }
}

fn path_text(path: &FieldPath<'_>, position: Option<usize>, positions: &[(Option<usize>, usize)]) -> String {
    let mut indices = Vec::new();
    let mut at = position;
    while let Some(position) = at {
        let (parent, index) = positions[position];
        indices.push(index);
        at = parent;
    }
    let mut text = path.to_string();
    for index in indices.iter().rev() {
        // Writing to a string does not fail.
        let _ = write!(text, "[{index}]");
    }
    text
}
