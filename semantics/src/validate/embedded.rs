//! Embedded objects must be whole resources (PRUNE-018).

use serde_json::{Map, Value};

use super::{NameRule, names};
use crate::{FieldPath, Reason, Schema, Semantics, Violation, json, prune::Child};

/// See [`crate::Validation::check_embedded`].
pub fn node(
    semantics: &dyn Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
) {
    match value {
        Value::Object(object) => {
            if semantics.coerces_embedded(schema) {
                semantics.check_embedded_object(object, path, found);
            }
            if schema.properties.is_empty() && schema.value_schema().is_none() {
                return;
            }
            for (key, value) in object.iter().filter(|(_, value)| value.is_array() || value.is_object()) {
                match semantics.child(schema, key) {
                    Child::Declared(child) => {
                        semantics.check_embedded(value, child, &path.name(key), found);
                    }
                    // These causes write a map key in brackets (VALUE-043).
                    Child::MapValue(Some(child)) => {
                        semantics.check_embedded(value, child, &path.key(key), found);
                    }
                    Child::MapValue(None) | Child::Unknown => {}
                }
            }
        }
        Value::Array(elements) => {
            let Some(items) = schema.item_schema() else {
                return;
            };
            for (index, element) in elements.iter().enumerate() {
                semantics.check_embedded(element, items, &path.index(index), found);
            }
        }
        _ => {}
    }
}

/// See [`crate::Validation::check_embedded_object`].
pub fn object(
    semantics: &dyn Semantics,
    object: &Map<String, Value>,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
) {
    for (name, well_formed) in [("apiVersion", names::is_group_version as fn(&str) -> bool), ("kind", names::is_kind)] {
        let (reason, detail) = match object.get(name) {
            None => (Reason::Required, "an embedded object needs it".to_owned()),
            Some(Value::String(text)) if well_formed(text) => continue,
            Some(Value::String(text)) => (Reason::Invalid, format!("{text:?} is no {name}")),
            Some(value) => (Reason::Invalid, format!("must be a string, is {}", json::kind(value))),
        };
        found.push(Violation { field: path.name(name).to_string(), reason, requirement: "PRUNE-018", detail });
    }
    if let Some(metadata) = object.get("metadata") {
        semantics.check_object_meta(metadata, NameRule::PathSegment, &path.name("metadata"), found);
    }
}
