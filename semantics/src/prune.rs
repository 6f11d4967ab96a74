//! Pruning: removal of what the structural part of a schema does not know (chapter 3.1).

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::{FieldPath, Schema, Semantics};

/// The keys that every resource has, declared or not (PRUNE-013, PRUNE-014).
pub(crate) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// What the structural part of a schema says about a key of an object.
#[derive(Clone, Copy, Debug)]
pub enum Child<'s> {
    /// The key is in `properties`.
    Declared(&'s Schema),
    /// The key is covered by `additionalProperties`; without a schema if that is `true` or `false`.
    MapValue(Option<&'s Schema>),
    /// Nothing is said.
    Unknown,
}

impl<'s> Child<'s> {
    /// The schema that judges the value, if there is one.
    pub fn schema(self) -> Option<&'s Schema> {
        match self {
            Self::Declared(schema) => Some(schema),
            Self::MapValue(schema) => schema,
            Self::Unknown => None,
        }
    }
}

/// See [`crate::Pruning::child`].
pub fn child<'s>(schema: &'s Schema, key: &str) -> Child<'s> {
    match schema.properties.get(key) {
        Some(property) => Child::Declared(property),
        None if schema.additional_properties.is_some() => Child::MapValue(schema.value_schema()),
        None => Child::Unknown,
    }
}

/// See [`crate::Pruning::prune_node`].
pub fn node(
    semantics: &dyn Semantics,
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
        // PRUNE-007: scalars stay, whatever the schema's type.
        _ => {}
    }
}

/// See [`crate::Pruning::prune_object`].
pub fn object(
    semantics: &dyn Semantics,
    object: &mut Map<String, Value>,
    schema: &Schema,
    keeps_meta: bool,
    path: &FieldPath<'_>,
    removed: &mut Vec<String>,
) {
    object.retain(|key, value| {
        if keeps_meta && META_FIELDS.contains(&key.as_str()) {
            return true;
        }
        let place = path.name(key);
        match semantics.child(schema, key) {
            Child::Declared(child) => {
                semantics.prune_node(value, Some(child), semantics.keeps_meta_fields(child, false), &place, removed);
            }
            Child::MapValue(child) => semantics.prune_map_value(value, child, &place, removed),
            Child::Unknown => {
                removed.push(place.to_string());
                crate::json::dismantle(value.take());
                return false;
            }
        }
        true
    });
}

/// See [`crate::Pruning::prune_array`].
pub fn array(
    semantics: &dyn Semantics,
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

/// See [`crate::Pruning::prune_preserved`].
pub fn preserved(
    semantics: &dyn Semantics,
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
                if keeps_meta && META_FIELDS.contains(&key.as_str()) {
                    continue;
                }
                let place = path.name(key);
                match semantics.child(schema, key) {
                    Child::Declared(child) => {
                        semantics.prune_node(
                            value,
                            Some(child),
                            semantics.keeps_meta_fields(child, false),
                            &place,
                            removed,
                        );
                    }
                    Child::MapValue(child) => {
                        semantics.prune_map_value(value, child, &place, removed);
                    }
                    Child::Unknown => {}
                }
            }
        }
        Value::Array(elements) => {
            // PRUNE-009: the elements are as preserved as the list, also where `items` says nothing of it.
            let Some(items) = schema.item_schema() else {
                return;
            };
            for (index, element) in elements.iter_mut().enumerate() {
                semantics.prune_preserved(
                    element,
                    items,
                    semantics.keeps_meta_fields(items, false),
                    &path.index(index),
                    removed,
                );
            }
        }
        _ => {}
    }
}

/// Empties objects and descends into arrays (PRUNE-005). Not recursive: here, and only here, the schema does not bound the
/// depth.
pub fn unspecified(value: &mut Value, path: &FieldPath<'_>, removed: &mut Vec<String>) {
    // The way to each array: the place of the array around it in this list, and the index there.
    let mut ways: Vec<(Option<usize>, usize)> = Vec::new();
    let mut open: Vec<(&mut Value, Option<usize>)> = vec![(value, None)];
    while let Some((value, way)) = open.pop() {
        match value {
            Value::Object(object) => {
                let place = written_out(path, way, &ways);
                let dot = if place.is_empty() { "" } else { "." };
                removed.extend(object.keys().map(|key| format!("{place}{dot}{key}")));
                crate::json::dismantle(Value::Object(std::mem::take(object)));
            }
            Value::Array(elements) => {
                for (index, element) in elements.iter_mut().enumerate() {
                    if element.is_array() || element.is_object() {
                        ways.push((way, index));
                        open.push((element, Some(ways.len() - 1)));
                    }
                }
            }
            _ => {}
        }
    }
}

fn written_out(path: &FieldPath<'_>, way: Option<usize>, ways: &[(Option<usize>, usize)]) -> String {
    let mut indices = Vec::new();
    let mut at = way;
    while let Some(way) = at {
        let (around, index) = ways[way];
        indices.push(index);
        at = around;
    }
    let mut text = path.to_string();
    for index in indices.iter().rev() {
        // Writing to a string cannot fail.
        let _ = write!(text, "[{index}]");
    }
    text
}
