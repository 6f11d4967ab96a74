//! A version of a definition, tested with the semantics directly, without a server.

use crdible_semantics::{DecodeError, FieldPath, Schema, SchemaContext, Semantics, Violation, json};
use serde_json::Value;

use super::data::text;

/// A version that is served and stored.
pub(crate) struct Model {
    pub(crate) schema: Schema,
    has_status: bool,
}

impl Model {
    pub(crate) fn new(definition: &Value, version: &str) -> Self {
        let versions = definition["spec"]["versions"].as_array().unwrap();
        let version = versions.iter().find(|candidate| text(candidate, "/name") == version).unwrap();
        let (schema, _) = Schema::parse(&version["schema"]["openAPIV3Schema"]).unwrap();
        Self { schema, has_status: version.pointer("/subresources/status").is_some() }
    }

    /// The violations of the schema.
    pub(crate) fn schema_violations(&self) -> Vec<Violation> {
        Semantics::UPSTREAM.schema_violations(&self.schema, &SchemaContext { status_subresource: self.has_status })
    }

    /// Creates an object; returns the stored object, or the violations.
    pub(crate) fn create(&self, object: &Value) -> Result<Value, Vec<Violation>> {
        let mut object = decode(object, &self.schema)?;
        if self.has_status {
            object.as_object_mut().unwrap().remove("status");
        }
        self.stored(object, |object, schema| Semantics::UPSTREAM.object_violations(object, schema, None))
    }

    /// Updates `old`.
    pub(crate) fn update(&self, object: &Value, old: &Value) -> Result<Value, Vec<Violation>> {
        let mut object = decode(object, &self.schema)?;
        if self.has_status {
            take_status(&mut object, old);
        }
        self.stored(object, |object, schema| Semantics::UPSTREAM.object_violations(object, schema, Some(old)))
    }

    /// Updates `old` through `/status`, which validates only values in `status`, and lists everywhere (VALUE-037).
    pub(crate) fn update_status(&self, object: &Value, old: &Value) -> Result<Value, Vec<Violation>> {
        let object = decode(object, &self.schema)?;
        let mut merged = old.clone();
        take_status(&mut merged, &object);
        self.stored(merged, |new, schema| {
            let mut found = Vec::new();
            if let (Some(status), Some(schema)) = (new.get("status"), schema.properties.get("status")) {
                let before = old.get("status").unwrap_or(&Value::Null);
                found = Semantics::UPSTREAM.value_update_violations(status, before, schema);
            }
            if !Semantics::UPSTREAM.forgives_topology(old, schema) {
                Semantics::UPSTREAM.check_topology(new, schema, &FieldPath::Root, &mut found);
            }
            found
        })
    }

    /// The result of reading a stored object.
    pub(crate) fn read(&self, stored: &Value) -> Value {
        let mut object = stored.clone();
        Semantics::UPSTREAM.read(&mut object, &self.schema, &self.schema, true);
        object
    }

    fn stored(
        &self,
        mut object: Value,
        violations: impl FnOnce(&Value, &Schema) -> Vec<Violation>,
    ) -> Result<Value, Vec<Violation>> {
        let found = violations(&object, &self.schema);
        if found.is_empty() {
            json::store_form(&mut object);
            return Ok(object);
        }
        Err(found)
    }
}

fn take_status(object: &mut Value, from: &Value) {
    let root = object.as_object_mut().unwrap();
    match from.get("status") {
        Some(status) => root.insert("status".into(), status.clone()),
        None => root.remove("status"),
    };
}

fn decode(object: &Value, schema: &Schema) -> Result<Value, Vec<Violation>> {
    let mut object = object.clone();
    if object.get("metadata").is_none() {
        object["metadata"] = serde_json::json!({"name": "n"});
    }
    json::normalise_numbers(&mut object);
    Semantics::UPSTREAM.decode(&mut object, schema).map_err(|DecodeError { field, detail }| {
        let reason = crdible_semantics::Reason::Invalid;
        vec![Violation { field, reason, requirement: "PRUNE-016", detail }]
    })?;
    Ok(object)
}
