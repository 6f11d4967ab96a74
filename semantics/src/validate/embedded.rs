//! Embedded objects must be complete resources (PRUNE-018).

use crdible_text::name;
use serde_json::{Map, Value};

use super::{
    NameRule,
    walk::{MapKeys, visit_children},
};
use crate::{FieldPath, Reason, Schema, Semantics, Violation, json};

pub(crate) fn node(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
) {
    if let Value::Object(object) = value
        && semantics.coerces_embedded(schema)
    {
        semantics.check_embedded_object(object, path, found);
    }
    visit_children(semantics, value, schema, path, MapKeys::Undeclared, |value, schema, path| {
        semantics.check_embedded(value, schema, path, found);
    });
}

pub(crate) fn object(
    semantics: &Semantics,
    object: &Map<String, Value>,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
) {
    for (name, well_formed) in [("apiVersion", name::is_group_version as fn(&str) -> bool), ("kind", name::is_kind)] {
        let (reason, detail) = match object.get(name) {
            None => (Reason::Required, "is required in an embedded object".to_owned()),
            Some(Value::String(text)) if well_formed(text) => continue,
            Some(Value::String(text)) => (Reason::Invalid, format!("{text:?} is no {name}")),
            Some(value) => (Reason::Invalid, format!("must be a string, is {}", json::kind(value))),
        };
        found.push(Violation::new(path.name(name), reason, "PRUNE-018", detail));
    }
    if let Some(metadata) = object.get("metadata") {
        semantics.check_object_meta(metadata, NameRule::PathSegment, &path.name("metadata"), found);
    }
}
