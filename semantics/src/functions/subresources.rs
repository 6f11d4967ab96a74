//! What `/status` and `/scale` do.

use serde_json::Value;

use super::AsSemantics;
use crate::{
    FieldPath, Schema, Violation,
    definition::Scale,
    scale::{self, Replicas},
    validate::Findings,
};

/// The subresources `/status` and `/scale`: chapter 10, and VALUE-042.
pub trait Subresources: AsSemantics {
    /// What a create or a write of the main endpoint does to the status where `/status` is on: that of `old` stays, or its
    /// absence; a new object has none (SUB-003, SUB-004).
    fn keep_status(&self, object: &mut Value, old: Option<&Value>) {
        let Some(fields) = object.as_object_mut() else { return };
        match old.and_then(|old| old.get("status")) {
            Some(status) => fields.insert("status".to_owned(), status.clone()),
            None => fields.remove("status"),
        };
    }

    /// What a write of `/status` makes of an object: everything but the status is that of `old` (SUB-005, SUB-006).
    fn take_status(&self, object: &mut Value, old: &Value) {
        let status = object.get_mut("status").map(Value::take);
        object.clone_from(old);
        if let Some(fields) = object.as_object_mut() {
            match status {
                Some(status) => fields.insert("status".to_owned(), status),
                None => fields.remove("status"),
            };
        }
    }

    /// What is wrong with a write of `/status`, and is not forgiven: the status by its schema, and list topology everywhere
    /// (SUB-012). Embedded objects are not looked at.
    fn status_violations(&self, new: &Value, old: &Value, schema: &Schema) -> Vec<Violation> {
        let semantics = self.as_semantics();
        let mut findings = Findings::new();
        if let (Some(status), Some(schema)) = (new.get("status"), schema.properties.get("status")) {
            let path = FieldPath::Root.name("status");
            match old.get("status") {
                Some(old) => semantics.check_value_update(status, old, schema, &path, &mut findings),
                None => semantics.check_value(status, schema, &path, &mut findings),
            }
        }
        let mut found = findings.into_violations();
        if !semantics.forgives_topology(old, schema) {
            semantics.check_topology(new, schema, &FieldPath::Root, &mut found);
        }
        found
    }

    /// The number at a path; none if there is nothing.
    ///
    /// # Errors
    /// What stands there is no integer of 64 bits, or something above it is no object (SUB-028).
    fn replicas_at(&self, object: &Value, path: &str) -> Result<Option<i64>, String> {
        scale::replicas_at(object, path)
    }

    /// The selector at a path; none if there is nothing.
    ///
    /// # Errors
    /// What stands there is no string, or something above it is no object (SUB-028).
    fn selector_at(&self, object: &Value, path: &str) -> Result<Option<String>, String> {
        scale::selector_at(object, path)
    }

    /// Whether this may be a number of replicas (VALUE-042).
    fn are_replicas(&self, number: i64) -> bool {
        (0..=i64::from(i32::MAX)).contains(&number)
    }

    /// What is wrong with the wanted number (VALUE-042).
    fn check_scale_spec(&self, object: &Value, scale: &Scale, found: &mut Vec<Violation>) {
        scale::check_spec(self.as_semantics(), object, scale, found);
    }

    /// What is wrong with the present number and with the selector (VALUE-042).
    fn check_scale_status(&self, object: &Value, scale: &Scale, found: &mut Vec<Violation>) {
        scale::check_status(self.as_semantics(), object, scale, found);
    }

    /// What `/scale` shows of an object (SUB-021).
    ///
    /// # Errors
    /// A value is of a wrong type (SUB-028).
    fn read_replicas(&self, object: &Value, scale: &Scale) -> Result<Replicas, String> {
        scale::read(self.as_semantics(), object, scale)
    }

    /// Sets the wanted number, and makes the objects above it that lack (SUB-023).
    ///
    /// # Errors
    /// Something above it is no object.
    fn write_replicas(&self, object: &mut Value, scale: &Scale, replicas: i64) -> Result<(), String> {
        scale::write(object, &scale.spec_replicas_path, replicas)
    }
}
