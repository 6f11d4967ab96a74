//! `/scale`: the replicas of an object (chapter 10.2, VALUE-042).

use serde_json::{Map, Value, json};

use crate::{Reason, Semantics, Violation, definition::Scale, go_text, message};

/// The contents of `/scale` for an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replicas {
    /// The desired number. `None` if the object does not set it.
    pub wanted: Option<i64>,
    /// The current number. 0 if the object does not set it.
    pub present: i64,
    /// The selector. Empty if the object does not set it.
    pub selector: String,
}

/// The keys of a path: it is split at its dots, and the first dot is ignored (SUB-020).
fn keys(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('.').unwrap_or(path).split('.')
}

/// The value at a path. A parent that is null has no children, and a parent that is a scalar or an array is an error.
fn find<'o>(object: &'o Value, path: &str) -> Result<Option<&'o Value>, String> {
    let mut at = object;
    for (index, key) in keys(path).enumerate() {
        at = match at {
            Value::Object(fields) => match fields.get(key) {
                Some(value) => value,
                None => return Ok(None),
            },
            Value::Null => return Ok(None),
            other => {
                let names: Vec<&str> = keys(path).take(index + 1).collect();
                return Err(not_of_type(&format!(".{}", names.join(".")), other, "map[string]interface{}"));
            }
        };
    }
    Ok(Some(at))
}

/// What is wrong with a value of another type than the one that a path must lead to.
fn not_of_type(path: &str, value: &Value, expected: &str) -> String {
    let (printed, type_name) = (go_text::printed(value), go_text::type_name(value));
    format!("{path} accessor error: {printed} is of the type {type_name}, expected {expected}")
}

pub(crate) fn replicas_at(object: &Value, path: &str) -> Result<Option<i64>, String> {
    let Some(value) = find(object, path)? else { return Ok(None) };
    value.as_i64().map(Some).ok_or_else(|| not_of_type(path, value, "int64"))
}

pub(crate) fn selector_at(object: &Value, path: &str) -> Result<Option<String>, String> {
    let Some(value) = find(object, path)? else { return Ok(None) };
    value.as_str().map(|text| Some(text.to_owned())).ok_or_else(|| not_of_type(path, value, "string"))
}

pub(crate) fn read(semantics: &Semantics, object: &Value, scale: &Scale) -> Result<Replicas, String> {
    let selector = match scale.label_selector_path.as_deref() {
        None | Some("") => None,
        Some(path) => semantics.selector_at(object, path)?,
    };
    Ok(Replicas {
        wanted: semantics.replicas_at(object, &scale.spec_replicas_path)?,
        present: semantics.replicas_at(object, &scale.status_replicas_path)?.unwrap_or_default(),
        selector: selector.unwrap_or_default(),
    })
}

pub(crate) fn write(object: &mut Value, path: &str, replicas: i64) -> Result<(), String> {
    let mut at = object;
    let mut keys = keys(path).peekable();
    while let Some(key) = keys.next() {
        let Value::Object(fields) = at else {
            let above = path.strip_suffix(key).map_or(path, |above| above.trim_end_matches('.'));
            return Err(format!("value cannot be set because {above} is not a map[string]interface{{}}"));
        };
        if keys.peek().is_none() {
            fields.insert(key.to_owned(), json!(replicas));
            return Ok(());
        }
        at = fields.entry(key).or_insert_with(|| Value::Object(Map::new()));
    }
    Ok(())
}

pub(crate) fn check_spec(semantics: &Semantics, object: &Value, scale: &Scale, found: &mut Vec<Violation>) {
    check_number(semantics, object, &scale.spec_replicas_path, found);
}

pub(crate) fn check_status(semantics: &Semantics, object: &Value, scale: &Scale, found: &mut Vec<Violation>) {
    check_number(semantics, object, &scale.status_replicas_path, found);
    if let Some(path) = &scale.label_selector_path
        && let Err(error) = semantics.selector_at(object, path)
    {
        found.push(invalid(path, message::about_text("", error)));
    }
}

fn check_number(semantics: &Semantics, object: &Value, path: &str, found: &mut Vec<Violation>) {
    match semantics.replicas_at(object, path) {
        Err(error) => found.push(invalid(path, message::about(0, error))),
        Ok(Some(number)) if !semantics.are_replicas(number) => {
            let fault = if number < 0 {
                "should be a non-negative integer".to_owned()
            } else {
                format!("should be less than or equal to {}", i32::MAX)
            };
            found.push(invalid(path, message::about(number, fault)));
        }
        Ok(_) => {}
    }
}

/// A violation whose field is the path as configured, its first dot included.
fn invalid(path: &str, detail: String) -> Violation {
    Violation::new(path, Reason::Invalid, "VALUE-042", detail)
}
