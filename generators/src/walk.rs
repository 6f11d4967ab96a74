//! Walks over schemas, and over values together with their schemas.

use crdible_semantics::schema::{AdditionalProperties, Items};
use crdible_semantics::{Schema, pointer};
use serde_json::Value;

/// A structural node of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// The path from the given schema to the node, as causes write it (CRDVAL-024): `.properties[spec].items`; empty
    /// for the schema itself.
    pub path: String,
    /// The JSON pointers of the values that the node describes; `*` matches any index and any key of a map.
    pub pattern: String,
    /// The node.
    pub schema: &'a Schema,
    /// The number of structural nodes above it.
    pub depth: usize,
}

/// All structural nodes of a schema: the schema itself first, parents before children. Branches of quantifiers are not
/// visited.
pub fn nodes(schema: &Schema) -> Vec<Node<'_>> {
    let mut found = vec![Node { path: String::new(), pattern: String::new(), schema, depth: 0 }];
    let mut next = 0;
    while next < found.len() {
        let Node { path, pattern, schema, depth } = found[next].clone();
        let depth = depth + 1;
        for (name, property) in &schema.properties {
            let (path, pattern) = (format!("{path}.properties[{name}]"), pointer::join(&pattern, name));
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

/// A value and its schema node.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact about a place")]
pub struct Place<'s, 'v> {
    /// The JSON pointer from the given value.
    pub pointer: String,
    /// The field path as causes and warnings write it: `spec.list[0].x`, keys of maps with dots (VALUE head,
    /// PRUNE-028). Empty for the given value.
    pub field: String,
    /// The node.
    pub schema: &'s Schema,
    /// The value.
    pub value: &'v Value,
    /// Whether unknown keys of an object here are kept: the node or an enclosing list preserves them (PRUNE-009).
    pub is_preserved: bool,
    /// Whether the path contains a key of a map (`additionalProperties`).
    pub is_below_map: bool,
    /// Whether the value is an element of a list.
    pub is_element: bool,
    /// Whether the value is the metadata of an embedded resource, or below it: there, coercion decides which fields are
    /// known (PRUNE-017).
    pub is_embedded_metadata: bool,
}

/// All places of a value that have a schema node, parents before children. If value and schema do not match, the walk
/// follows the type of the value, as pruning does (PRUNE-007).
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
                        pointer: pointer::join(&place.pointer, key),
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

/// The [`places`] where the value is an object and the schema requires one.
pub fn objects_in<'s, 'v>(schema: &'s Schema, value: &'v Value) -> Vec<Place<'s, 'v>> {
    let mut places = places(schema, value);
    places.retain(|place| place.value.is_object() && place.schema.type_name == "object");
    places
}
