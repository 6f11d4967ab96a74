//! Metadata of the whole object.

use serde_json::{Map, Value};

use super::WrongType;
use super::object_meta::json_type;
use crate::{DecodeError, FieldPath, Semantics};

pub(crate) fn refuse(semantics: &Semantics, object: &mut Value) -> Result<Vec<String>, DecodeError> {
    let mut unknown = Vec::new();
    let Value::Object(object) = object else {
        return Err(DecodeError {
            field: String::new(),
            detail: format!("the object must be an object, is {}", crate::json::kind(object)),
        });
    };
    for name in ["apiVersion", "kind"] {
        if let Some(value) = object.get(name).filter(|value| !value.is_string()) {
            return Err(DecodeError {
                field: name.to_owned(),
                detail: format!(
                    "json: cannot unmarshal {} into Go struct field .{name} of type string",
                    json_type(value)
                ),
            });
        }
    }
    if let Some(metadata) = object.get_mut("metadata") {
        semantics.coerce_object_meta(metadata, &FieldPath::Root.name("metadata"), WrongType::Refused, &mut unknown)?;
    }
    unknown.sort();
    Ok(unknown)
}

pub(crate) fn repair(semantics: &Semantics, object: &mut Value) {
    let Some(metadata) = object.get_mut("metadata") else { return };
    let repaired =
        semantics.coerce_object_meta(metadata, &FieldPath::Root.name("metadata"), WrongType::Dropped, &mut Vec::new());
    if repaired.is_err() {
        // Not an object: nothing can be kept.
        crate::json::dismantle(std::mem::replace(metadata, Value::Object(Map::new())));
    }
    if let Value::Object(metadata) = metadata {
        metadata.entry("generation").or_insert_with(|| Value::from(1));
    }
}
