//! Embedded objects must be complete resources (PRUNE-018).

use crdible_text::name;
use serde_json::{Map, Value};

use super::{
    NameRule,
    walk::{MapKeys, visit_children},
};
use crate::{FieldPath, Reason, Schema, Semantics, Violation, message};

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
    for (name, fault_of) in [("apiVersion", version_fault as fn(&str) -> Option<String>), ("kind", kind_fault)] {
        let (reason, detail) = match object.get(name) {
            None => (Reason::Required, String::new()),
            Some(Value::String(text)) => match fault_of(text) {
                None => continue,
                Some(fault) => (Reason::Invalid, message::about_text(text, fault)),
            },
            Some(value) => (Reason::Invalid, message::about(message::shown(value), "must be a string")),
        };
        found.push(Violation::new(path.name(name), reason, "PRUNE-018", detail));
    }
    if let Some(metadata) = object.get("metadata") {
        semantics.check_object_meta(metadata, NameRule::PathSegment, &path.name("metadata"), found);
    }
}

fn version_fault(text: &str) -> Option<String> {
    match text {
        "" => Some("must not be empty".to_owned()),
        _ if name::is_group_version(text) => None,
        _ => Some(format!("unexpected GroupVersion string: {text}")),
    }
}

fn kind_fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("must not be empty".to_owned());
    }
    let faults = name::dns1035_label_faults(&text.to_lowercase());
    (!faults.is_empty()).then(|| message::mixed_case(&faults))
}
