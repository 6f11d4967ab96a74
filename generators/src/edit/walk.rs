//! The nodes of a schema, and a value beside them.

use crdible_semantics::Schema;
use crdible_semantics::schema::{AdditionalProperties, Items};
use serde_json::Value;

/// One structural node of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// The path from the given schema on, as causes write it (CRDVAL-024): `.properties[spec].items`; empty for the schema itself.
    pub path: String,
    /// Which JSON pointers of a value the node is about; `*` stands for any index and any key of a map.
    pub pattern: String,
    /// The node.
    pub schema: &'a Schema,
    /// How many structural nodes lie above it.
    pub depth: usize,
}

/// All structural nodes of a schema, the schema itself first, parents before children. Quantifiers are not gone into.
pub fn nodes(schema: &Schema) -> Vec<Node<'_>> {
    let mut found = vec![Node { path: String::new(), pattern: String::new(), schema, depth: 0 }];
    let mut next = 0;
    while next < found.len() {
        let Node { path, pattern, schema, depth } = found[next].clone();
        let depth = depth + 1;
        for (name, property) in &schema.properties {
            let (path, pattern) = (format!("{path}.properties[{name}]"), format!("{pattern}/{}", pointer_key(name)));
            found.push(Node { path, pattern, schema: property, depth });
        }
        if let Some(Items::Each(items)) = &schema.items {
            found.push(Node { path: format!("{path}.items"), pattern: format!("{pattern}/*"), schema: items, depth });
        }
        if let Some(AdditionalProperties::Schema(values)) = &schema.additional_properties {
            let (path, pattern) = (format!("{path}.additionalProperties"), format!("{pattern}/*"));
            found.push(Node { path, pattern, schema: values, depth });
        }
        next += 1;
    }
    found
}

/// A value with the node of the schema that it stands at.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing about a place")]
pub struct Place<'s, 'v> {
    /// The JSON pointer from the given value on.
    pub pointer: String,
    /// The field as causes and warnings write it: `spec.list[0].x`, keys of maps with dots (VALUE head, PRUNE-028). Empty for the given value.
    pub field: String,
    /// The node.
    pub schema: &'s Schema,
    /// The value.
    pub value: &'v Value,
    /// Unknown keys of an object here are kept: the node preserves them, or a preserved list around it does (PRUNE-009).
    pub is_preserved: bool,
    /// A key of a map (`additionalProperties`) leads here.
    pub is_below_map: bool,
    /// The value is an element of a list.
    pub is_element: bool,
    /// The value is the metadata of an embedded resource, or below it: coercion decides what is known there (PRUNE-017).
    pub is_embedded_metadata: bool,
}

/// A value along the structural part of its schema: every place that has a node, parents before children. Where value and
/// schema do not fit, the walk follows the value's kind, as pruning does (PRUNE-007).
pub fn places<'s, 'v>(schema: &'s Schema, value: &'v Value) -> Vec<Place<'s, 'v>> {
    let first = Place {
        pointer: String::new(),
        field: String::new(),
        schema,
        value,
        is_preserved: schema.is_preserving(),
        is_below_map: false,
        is_element: false,
        is_embedded_metadata: false,
    };
    let mut found = vec![first];
    let mut next = 0;
    while next < found.len() {
        let place = found[next].clone();
        next += 1;
        match place.value {
            Value::Object(object) => {
                for (key, value) in object {
                    let declared = place.schema.properties.get(key);
                    let Some(schema) = declared.or_else(|| place.schema.value_schema()) else {
                        continue;
                    };
                    found.push(Place {
                        pointer: format!("{}/{}", place.pointer, pointer_key(key)),
                        field: if place.field.is_empty() { key.clone() } else { format!("{}.{key}", place.field) },
                        schema,
                        value,
                        is_preserved: schema.is_preserving(),
                        is_below_map: place.is_below_map || declared.is_none(),
                        is_element: false,
                        is_embedded_metadata: place.is_embedded_metadata
                            || (place.schema.embedded_resource && key == "metadata"),
                    });
                }
            }
            Value::Array(elements) => {
                let Some(schema) = place.schema.item_schema() else {
                    continue;
                };
                for (index, value) in elements.iter().enumerate() {
                    found.push(Place {
                        pointer: format!("{}/{index}", place.pointer),
                        field: format!("{}[{index}]", place.field),
                        schema,
                        value,
                        is_preserved: place.is_preserved || schema.is_preserving(),
                        is_below_map: place.is_below_map,
                        is_element: true,
                        is_embedded_metadata: place.is_embedded_metadata,
                    });
                }
            }
            _ => {}
        }
    }
    found
}

/// The places of [`places`] at which an object stands where the schema wants one.
pub fn objects_in<'s, 'v>(schema: &'s Schema, value: &'v Value) -> Vec<Place<'s, 'v>> {
    let mut places = places(schema, value);
    places.retain(|place| place.value.is_object() && place.schema.type_name == "object");
    places
}

/// A key as a segment of a JSON pointer.
pub(crate) fn pointer_key(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
