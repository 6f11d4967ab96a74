//! The subresources `/status` and `/scale`.

use serde_json::Value;

use crate::{
    FieldPath, Schema, Semantics, Violation,
    definition::Scale,
    scale::{self, Replicas},
    validate::Findings,
};

area! {
    /// How `/status` and `/scale` read, write and validate objects (chapter 10, VALUE-042).
    pub struct Subresources as subresources;

    /// Resets the status on a create or an update of the main endpoint, if `/status` is enabled: to the status of
    /// `old`, or to none for a new object (SUB-003, SUB-004).
    fn keep_status(object: &mut Value, old: Option<&Value>) = keep_status;
    /// Resets everything except the status to `old`, on an update of `/status` (SUB-005, SUB-006).
    fn take_status(object: &mut Value, old: &Value) = take_status;
    /// The violations of an update of `/status` that are not forgiven: of the status by its schema, and of list types
    /// everywhere (SUB-012). Embedded objects are not checked.
    fn status_violations(&self, object: &Value, schema: &Schema, old: Option<&Value>) -> Vec<Violation> =
        status_violations;
    /// The number at a path. Returns `None` if it is missing.
    ///
    /// # Errors
    /// If the value is not an integer within 64 bits, or a parent is not an object (SUB-028).
    fn replicas_at(object: &Value, path: &str) -> Result<Option<i64>, String> = scale::replicas_at;
    /// The selector at a path. Returns `None` if it is missing.
    ///
    /// # Errors
    /// If the value is not a string, or a parent is not an object (SUB-028).
    fn selector_at(object: &Value, path: &str) -> Result<Option<String>, String> = scale::selector_at;
    /// Whether a number is a legal number of replicas (VALUE-042).
    fn are_replicas(&self, number: i64) -> bool = |_, number| (0..=i64::from(i32::MAX)).contains(&number);
    /// Checks the desired number of replicas (VALUE-042).
    fn check_scale_spec(&self, object: &Value, scale: &Scale, found: &mut Vec<Violation>) = scale::check_spec;
    /// Checks the current number of replicas and the selector (VALUE-042).
    fn check_scale_status(&self, object: &Value, scale: &Scale, found: &mut Vec<Violation>) = scale::check_status;
    /// The contents of `/scale` for an object (SUB-021).
    ///
    /// # Errors
    /// If a value has the wrong type (SUB-028).
    fn read_replicas(&self, object: &Value, scale: &Scale) -> Result<Replicas, String> = scale::read;
    /// Sets the desired number of replicas, and adds missing parents (SUB-023).
    ///
    /// # Errors
    /// If a parent is not an object.
    fn write_replicas(&self, object: &mut Value, scale: &Scale, replicas: i64) -> Result<(), String> =
        |_, object, scale, replicas| scale::write(object, &scale.spec_replicas_path, replicas);
}

fn keep_status(object: &mut Value, old: Option<&Value>) {
    let Some(fields) = object.as_object_mut() else { return };
    match old.and_then(|old| old.get("status")) {
        Some(status) => fields.insert("status".to_owned(), status.clone()),
        None => fields.remove("status"),
    };
}

fn take_status(object: &mut Value, old: &Value) {
    let status = object.get_mut("status").map(Value::take);
    object.clone_from(old);
    if let Some(fields) = object.as_object_mut() {
        match status {
            Some(status) => fields.insert("status".to_owned(), status),
            None => fields.remove("status"),
        };
    }
}

fn status_violations(semantics: &Semantics, object: &Value, schema: &Schema, old: Option<&Value>) -> Vec<Violation> {
    let mut findings = Findings::new();
    if let (Some(status), Some(schema)) = (object.get("status"), schema.properties.get("status")) {
        let path = FieldPath::Part("status");
        match old.and_then(|old| old.get("status")) {
            Some(old) => semantics.check_value_update(status, old, schema, &path, &mut findings),
            None => semantics.check_value(status, schema, &path, &mut findings),
        }
    }
    let mut found = findings.into_violations();
    if !old.is_some_and(|old| semantics.forgives_topology(old, schema)) {
        semantics.check_topology(object, schema, &FieldPath::Root, &mut found);
    }
    found
}
