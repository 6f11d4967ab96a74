//! Decodes an object into the form of a typed API: unknown fields are dropped and reported, wrong JSON types are
//! errors, zero values are left out or filled in (CRDVAL-058).

use std::fmt::Write as _;

use crdible_semantics::{Release, Schema, Semantics};
use serde_json::{Map, Value, json};

use crate::kinds::{Content, Count, Element, Field, Presence, Type};
use crate::metadata;
use crate::wire::base64;
use crate::wire::go_time::{self, Moment};

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

impl Found {
    fn wrong(&mut self, path: &str, expected: &str) {
        self.errors.push(format!("{path} must be {expected}"));
    }
}

/// Decodes an object of a typed API, including its metadata, and returns the paths of unknown fields.
///
/// # Errors
/// A value has the wrong JSON type.
pub(crate) fn decode_object(semantics: &Semantics, object: &mut Value, root: &Type) -> Result<Vec<String>, String> {
    let managers = object.pointer("/metadata/managedFields").and_then(Value::as_array);
    let clears_managers = managers.is_some_and(Vec::is_empty);
    let mut unknown = semantics.coerce_metadata(object).map_err(|error| error.within("metadata"))?;
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
pub(crate) fn fit(object: &mut Value, root: &Type) {
    let Some(members) = object.as_object_mut() else { return };
    let mut header = Map::new();
    for key in ["apiVersion", "kind", "metadata"] {
        header.extend(members.remove_entry(key));
    }
    normalise(members, root, "", &mut Found::default());
    members.append(&mut header);
}

/// Decodes the fields of an object. `path` is the path of the object.
fn normalise(object: &mut Map<String, Value>, of: &Type, path: &str, found: &mut Found) {
    let release = found.release;
    object.retain(|key, _| {
        let known = of.own_in(release).any(|field| field.name == key);
        if !known {
            found.unknown.push(below(path, key));
        }
        known
    });
    for field in of.own_in(release) {
        let path = below(path, field.name);
        if let Some(value) = object.get_mut(field.name) {
            decode(value, field, &path, found);
        }
        let value = object.get(field.name);
        let absent = value.is_none_or(Value::is_null);
        match field.presence() {
            Presence::Written | Presence::Required if absent => {
                let zero = if field.count == Count::One { zero(field.element, &path, found) } else { Value::Null };
                object.insert(field.name.to_owned(), zero);
            }
            Presence::LeftOut | Presence::Optional if absent => drop(object.remove(field.name)),
            Presence::LeftOut if value.is_some_and(is_zero) => drop(object.remove(field.name)),
            _ => {}
        }
    }
}

fn decode(value: &mut Value, field: &Field, path: &str, found: &mut Found) {
    match (field.count, value) {
        (_, Value::Null) => {}
        (Count::One, value) => one(value, field.element, path, found),
        (Count::List, Value::Array(items)) => list(items, field.element, path, found),
        (Count::Map, Value::Object(members)) => {
            for (key, value) in members {
                element(value, field.element, &below(path, key), found);
            }
        }
        (Count::List, _) => found.wrong(path, "a list"),
        (Count::Map, _) => found.wrong(path, "an object"),
    }
}

fn list(items: &mut [Value], of: Element, path: &str, found: &mut Found) {
    let mut path = path.to_owned();
    let length = path.len();
    for (index, item) in items.iter_mut().enumerate() {
        if matches!(of, Element::Text) && !(item.is_string() || item.is_null()) {
            found.wrong(&path, "a list of strings");
            continue;
        }
        // Writing to a String cannot fail.
        let _ = write!(path, "[{index}]");
        element(item, of, &path, found);
        path.truncate(length);
    }
}

/// Decodes an element of a list or map; null is its zero value.
fn element(value: &mut Value, of: Element, path: &str, found: &mut Found) {
    if value.is_null() {
        *value = zero(of, path, found);
    } else {
        one(value, of, path, found);
    }
}

fn one(value: &mut Value, of: Element, path: &str, found: &mut Found) {
    let expected = match (of, value) {
        (Element::Text, Value::String(_)) | (Element::Flag, Value::Bool(_)) | (Element::Double, Value::Number(_)) => {
            None
        }
        (Element::Bytes, Value::String(text)) => base64::decode(text).is_err().then_some("base64"),
        (Element::Int32, Value::Number(number)) => {
            let fits = number.as_i64().is_some_and(|number| i32::try_from(number).is_ok());
            (!fits).then_some("an integer of 32 bits")
        }
        (Element::Int64, Value::Number(number)) => number.as_i64().is_none().then_some("an integer"),
        (Element::Of(of), value) => return typed(value, of, path, found),
        (Element::Text, _) => Some("a string"),
        (Element::Bytes, _) => Some("a string in base64"),
        (Element::Flag, _) => Some("a boolean"),
        (Element::Int32 | Element::Int64, _) => Some("an integer"),
        (Element::Double, _) => Some("a number"),
    };
    if let Some(expected) = expected {
        found.wrong(path, expected);
    }
}

fn typed(value: &mut Value, of: &Type, path: &str, found: &mut Found) {
    match (of.content, value) {
        (Content::Struct, Value::Object(object)) => normalise(object, of, path, found),
        (Content::Schema, value @ Value::Object(_)) => match Schema::parse(value) {
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
        (Content::Time, value @ Value::String(_)) => match value.as_str().and_then(go_time::parse_rfc_3339) {
            Some(moment) => *value = time(moment, Moment::in_utc),
            None => found.wrong(path, "a time"),
        },
        (Content::MicroTime, value @ Value::String(_)) => match value.as_str().and_then(go_time::parse_micro_time) {
            Some(moment) => *value = time(moment, Moment::in_utc_with_micros),
            None => found.wrong(path, "a time with six digits of a second's fraction"),
        },
        (Content::Struct | Content::Schema, _) => found.wrong(path, "an object"),
        (Content::Time | Content::MicroTime, _) => found.wrong(path, "a string"),
        // Only in documents that are never decoded.
        (Content::Json(_) | Content::Words | Content::Either, _) => {}
    }
}

/// A time as a value; the zero time is null.
fn time(moment: Moment, written: fn(Moment) -> String) -> Value {
    if moment == Moment::ZERO { Value::Null } else { written(moment).into() }
}

fn zero(of: Element, path: &str, found: &mut Found) -> Value {
    match of {
        Element::Text | Element::Bytes => Value::from(""),
        Element::Flag => Value::from(false),
        Element::Int32 | Element::Int64 | Element::Double => Value::from(0),
        Element::Of(of) if of.is_struct() => {
            let mut object = Map::new();
            if of.content == Content::Struct {
                normalise(&mut object, of, path, found);
            }
            Value::Object(object)
        }
        Element::Of(_) => Value::Null,
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(true) => false,
    }
}

fn below(path: &str, key: &str) -> String {
    match (path, key) {
        ("", key) => key.to_owned(),
        (path, "") => path.to_owned(),
        (path, key) => format!("{path}.{key}"),
    }
}
