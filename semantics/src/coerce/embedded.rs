//! Metadata of the embedded objects that the structural part of a schema declares.

use serde_json::Value;

use super::WrongType;
use crate::{
    DecodeError, FieldPath, Schema, Semantics, message,
    prune::{Child, META_FIELDS},
};

pub(crate) fn node(
    semantics: &Semantics,
    value: &mut Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    wrong: WrongType,
    unknown: &mut Vec<String>,
) -> Result<(), DecodeError> {
    match value {
        Value::Object(object) => {
            let embedded = semantics.coerces_embedded(schema);
            if embedded {
                for name in ["apiVersion", "kind"] {
                    let Some(value) = object.get(name).filter(|value| !value.is_string()) else { continue };
                    if wrong == WrongType::Refused {
                        return Err(DecodeError::embedded(
                            &path.name(name),
                            &message::shown(value),
                            "must be a string",
                        ));
                    }
                    if let Some(wrong) = object.remove(name) {
                        crate::json::dismantle(wrong);
                    }
                }
                // For the message, which shows the metadata as they were.
                let given = object.get("metadata").filter(|_| wrong == WrongType::Refused).map(message::shown);
                if let Some(metadata) = object.get_mut("metadata")
                    && let Err(error) = semantics.coerce_object_meta(metadata, &path.name("metadata"), wrong, unknown)
                {
                    if let Some(given) = given {
                        // Upstream reports the metadata, not the field in it.
                        return Err(DecodeError::embedded(&path.name("metadata"), &given, error));
                    }
                    if let Some(wrong) = object.remove("metadata") {
                        crate::json::dismantle(wrong);
                    }
                }
            }
            if schema.properties.is_empty() && schema.value_schema().is_none() {
                return Ok(());
            }
            for (key, value) in object.iter_mut() {
                // Only objects can be embedded, and not in the metadata of another (STRUCT-017).
                if !(value.is_object() || value.is_array()) || embedded && META_FIELDS.contains(&key.as_str()) {
                    continue;
                }
                match semantics.child(schema, key) {
                    Child::Declared(child) => {
                        semantics.coerce_node(value, child, &path.child(key), wrong, unknown)?;
                    }
                    // A map key is in brackets here, unlike in the paths of pruned fields (PRUNE-017).
                    Child::MapValue(Some(child)) => {
                        semantics.coerce_node(value, child, &path.key(key), wrong, unknown)?;
                    }
                    Child::MapValue(None) | Child::Unknown => {}
                }
            }
        }
        Value::Array(elements) => {
            let Some(items) = schema.item_schema() else {
                return Ok(());
            };
            for (index, element) in elements.iter_mut().enumerate() {
                semantics.coerce_node(element, items, &path.index(index), wrong, unknown)?;
            }
        }
        _ => {}
    }
    Ok(())
}
