//! Keys of objects: required keys, forbidden keys, their number (VALUE-021..023, VALUE-032).

use serde_json::{Map, Value};

use super::Findings;
use crate::{FieldPath, Reason, Schema, Semantics, message, prune::Child, schema::AdditionalProperties};

pub(crate) fn check(
    semantics: &Semantics,
    object: &Map<String, Value>,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    semantics.check_key_count(object, schema, path, findings);
    if !schema.properties.is_empty() || schema.additional_properties.is_some() {
        for (key, value) in object {
            match semantics.child(schema, key) {
                Child::Declared(child) => {
                    semantics.check_value(value, child, &path.name(key), findings);
                }
                Child::MapValue(Some(child)) => {
                    semantics.check_map_value(value, child, &path.map_value(key), findings);
                }
                Child::MapValue(None) | Child::Unknown => {}
            }
        }
    }
    semantics.check_closed(object, schema, path, findings);
    semantics.check_required(object, schema, path, findings);
}

pub(crate) fn closed(
    semantics: &Semantics,
    object: &Map<String, Value>,
    schema: &Schema,
    path: &FieldPath<'_>,
    findings: &mut Findings,
) {
    if schema.additional_properties != Some(AdditionalProperties::Allowed(false)) {
        return;
    }
    for key in object.keys().filter(|key| matches!(semantics.child(schema, key), Child::MapValue(None))) {
        findings.violation(path, Reason::Invalid, "VALUE-032", || {
            message::about_text(key, format_args!("{}.{key} in body is a forbidden property", path.in_body()))
        });
    }
}

pub(crate) fn key_count(object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    let limits = (schema.values.min_properties, schema.values.max_properties);
    findings.count(path, object.len(), "properties", limits, "VALUE-022");
}

pub(crate) fn required(object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
    for name in schema.values.required.iter().filter(|name| !object.contains_key(*name)) {
        findings.violation(&path.name(name), Reason::Required, "VALUE-021", String::new);
    }
}
