//! Decodes an object into the form of a typed API: unknown fields are dropped and reported, wrong JSON types are
//! errors, zero values are left out or filled in (CRDVAL-058). A shape is data, so that a type can be read at a glance.

use std::fmt::Write as _;

use crdible_semantics::release::Change;
use crdible_semantics::{Release, Schema, Semantics};
use serde_json::{Map, Value, json};

use crate::go_time::{self, Moment};
use crate::metadata;

/// The form of a value. Null is the zero value of every form.
pub(crate) enum Shape {
    Text,
    /// A time; its zero value is null.
    Time,
    /// A time with microseconds; its zero value is null.
    MicroTime,
    /// Base64.
    Bytes,
    Flag,
    /// A 32-bit integer.
    Small,
    /// A 64-bit integer.
    Large,
    Texts,
    List(&'static [Field]),
    Struct(&'static [Field]),
    /// A JSON schema.
    Schema,
}

/// How a zero value of a field is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zero {
    /// It is always written.
    Written,
    /// It is left out.
    LeftOut,
    /// The field is optional: null is left out, any other value is kept.
    Optional,
}

/// One field of a struct.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) zero: Zero,
    /// The change with which the field came; `None` if every release has it.
    since: Option<Change>,
}

pub(crate) const fn field(name: &'static str, shape: Shape, zero: Zero) -> Field {
    Field { name, shape, zero, since: None }
}

impl Field {
    pub(crate) const fn since(self, change: Change) -> Self {
        Self { since: Some(change), ..self }
    }

    fn is_in(&self, release: Release) -> bool {
        self.since.is_none_or(|change| release.has(change))
    }
}

/// The findings of decoding.
#[derive(Debug, Default)]
struct Found {
    /// The release whose fields are known.
    release: Release,
    /// Paths of unknown fields.
    unknown: Vec<String>,
    /// Values of the wrong JSON type.
    errors: Vec<String>,
}

/// Decodes an object of a typed API, including its metadata, and returns the paths of unknown fields.
///
/// # Errors
/// A value has the wrong JSON type.
pub(crate) fn decode_object(semantics: &Semantics, object: &mut Value, root: &[Field]) -> Result<Vec<String>, String> {
    let managers = object.pointer("/metadata/managedFields").and_then(Value::as_array);
    let clears_managers = managers.is_some_and(Vec::is_empty);
    let mut unknown = semantics.coerce_metadata(object).map_err(|error| error.to_string())?;
    if clears_managers {
        // For typed resources an empty list means what a list with one empty entry means for all resources (REST-041).
        metadata::fields::set(object, "managedFields", json!([{}]));
    }
    let Some(members) = object.as_object_mut() else {
        return Err("not a JSON object".into());
    };
    let mut header = Map::new();
    for key in ["apiVersion", "kind", "metadata"] {
        header.extend(members.remove_entry(key));
    }
    let mut found = Found { release: semantics.release, ..Found::default() };
    normalise(members, root, "", &mut found);
    members.append(&mut header);
    if !found.errors.is_empty() {
        return Err(found.errors.join(", "));
    }
    unknown.append(&mut found.unknown);
    Ok(unknown)
}

/// Brings a well-typed object into the form of another type: unknown fields are dropped, zero values are left out or
/// filled in. `apiVersion`, `kind` and `metadata` are kept.
pub(crate) fn fit(object: &mut Value, root: &[Field]) {
    let Some(members) = object.as_object_mut() else { return };
    let mut header = Map::new();
    for key in ["apiVersion", "kind", "metadata"] {
        header.extend(members.remove_entry(key));
    }
    normalise(members, root, "", &mut Found::default());
    members.append(&mut header);
}

/// Decodes the fields of an object. `path` is the path of the object.
fn normalise(object: &mut Map<String, Value>, fields: &[Field], path: &str, found: &mut Found) {
    let release = found.release;
    let fields = || fields.iter().filter(move |field| field.is_in(release));
    object.retain(|key, _| {
        let known = fields().any(|field| field.name == key);
        if !known {
            found.unknown.push(below(path, key));
        }
        known
    });
    for field in fields() {
        let path = below(path, field.name);
        if let Some(value) = object.get_mut(field.name) {
            decode(value, &field.shape, &path, found);
        }
        let absent = object.get(field.name).is_none_or(Value::is_null);
        match field.zero {
            Zero::Written if absent => {
                object.insert(field.name.to_owned(), zero(&field.shape, &path, found));
            }
            Zero::LeftOut if absent || object.get(field.name).is_some_and(is_zero) => {
                object.remove(field.name);
            }
            Zero::Optional if absent => {
                object.remove(field.name);
            }
            _ => {}
        }
    }
}

fn decode(value: &mut Value, shape: &Shape, path: &str, found: &mut Found) {
    let wrong = |expected: &str, found: &mut Found| found.errors.push(format!("{path} must be {expected}"));
    match (shape, value) {
        (_, Value::Null) | (Shape::Text, Value::String(_)) | (Shape::Flag, Value::Bool(_)) => {}
        (Shape::Time, value @ Value::String(_)) => match value.as_str().and_then(go_time::parse_rfc_3339) {
            Some(moment) => *value = time(moment, Moment::in_utc),
            None => wrong("a time", found),
        },
        (Shape::MicroTime, value @ Value::String(_)) => match value.as_str().and_then(go_time::parse_micro_time) {
            Some(moment) => *value = time(moment, Moment::in_utc_with_micros),
            None => wrong("a time with six digits of a second's fraction", found),
        },
        (Shape::Bytes, Value::String(text)) => {
            if crate::definitions::base64_content(text).is_none() {
                wrong("base64", found);
            }
        }
        (Shape::Small, Value::Number(number)) => {
            if number.as_i64().is_none_or(|number| i32::try_from(number).is_err()) {
                wrong("an integer of 32 bits", found);
            }
        }
        (Shape::Large, Value::Number(number)) => {
            if number.as_i64().is_none() {
                wrong("an integer", found);
            }
        }
        (Shape::Texts, Value::Array(items)) => {
            for item in items {
                match item {
                    Value::String(_) => {}
                    Value::Null => *item = Value::from(""),
                    _ => wrong("a list of strings", found),
                }
            }
        }
        (Shape::List(fields), Value::Array(items)) => {
            let mut path = path.to_owned();
            let length = path.len();
            for (index, item) in items.iter_mut().enumerate() {
                // Writing to a String cannot fail.
                let _ = write!(path, "[{index}]");
                if item.is_null() {
                    *item = Value::Object(Map::new());
                }
                match item {
                    Value::Object(object) => normalise(object, fields, &path, found),
                    _ => found.errors.push(format!("{path} must be an object")),
                }
                path.truncate(length);
            }
        }
        (Shape::Struct(fields), Value::Object(object)) => normalise(object, fields, path, found),
        (Shape::Schema, value @ Value::Object(_)) => match Schema::parse(value) {
            Ok((schema, unknown)) => {
                found.unknown.extend(unknown.iter().map(|inner| below(path, inner)));
                *value = schema.to_json();
            }
            Err(errors) => {
                found
                    .errors
                    .extend(errors.iter().map(|error| format!("{}: {}", below(path, &error.path), error.message)));
            }
        },
        (Shape::Text | Shape::Time | Shape::MicroTime, _) => wrong("a string", found),
        (Shape::Bytes, _) => wrong("a string in base64", found),
        (Shape::Flag, _) => wrong("a boolean", found),
        (Shape::Small | Shape::Large, _) => wrong("an integer", found),
        (Shape::Texts | Shape::List(_), _) => wrong("a list", found),
        (Shape::Struct(_) | Shape::Schema, _) => wrong("an object", found),
    }
}

/// A time as a value; the zero time is null.
fn time(moment: Moment, written: fn(Moment) -> String) -> Value {
    if moment == Moment::ZERO { Value::Null } else { written(moment).into() }
}

fn zero(shape: &Shape, path: &str, found: &mut Found) -> Value {
    match shape {
        Shape::Text | Shape::Bytes => Value::from(""),
        Shape::Flag => Value::from(false),
        Shape::Small | Shape::Large => Value::from(0),
        Shape::Time | Shape::MicroTime | Shape::Texts | Shape::List(_) => Value::Null,
        Shape::Struct(fields) => {
            let mut object = Map::new();
            normalise(&mut object, fields, path, found);
            Value::Object(object)
        }
        Shape::Schema => Value::Object(Map::new()),
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(_) | Value::Bool(true) => false,
    }
}

fn below(path: &str, key: &str) -> String {
    match (path, key) {
        ("", key) => key.to_owned(),
        (path, "") => path.to_owned(),
        (path, key) => format!("{path}.{key}"),
    }
}
