//! The fields of `ObjectMeta`, their types, and how each is converted.

use serde_json::{Map, Value};

use super::{WrongType, time};
use crate::{DecodeError, FieldPath, json};

/// The type of a field.
#[derive(Clone, Copy)]
enum Shape {
    /// A string.
    Text,
    /// An integer within 64 bits.
    Integer,
    /// A boolean.
    Flag,
    /// A point in time.
    Time,
    /// A map of strings.
    TextMap,
    /// A list of strings.
    TextList,
    /// A list of objects with these fields.
    Objects(&'static [Field]),
    /// Anything.
    Any,
}

/// The effect of a zero value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zero {
    /// It is removed.
    Omitted,
    /// It is kept if it is present. A null is removed.
    Kept,
    /// It is written even if the field is missing.
    Written,
}

/// A field: its name, its type, and the effect of its zero value.
type Field = (&'static str, Shape, Zero);

const OBJECT_META: [Field; 15] = [
    ("name", Shape::Text, Zero::Omitted),
    ("generateName", Shape::Text, Zero::Omitted),
    ("namespace", Shape::Text, Zero::Omitted),
    ("selfLink", Shape::Text, Zero::Omitted),
    ("uid", Shape::Text, Zero::Omitted),
    ("resourceVersion", Shape::Text, Zero::Omitted),
    ("generation", Shape::Integer, Zero::Omitted),
    ("creationTimestamp", Shape::Time, Zero::Omitted),
    ("deletionTimestamp", Shape::Time, Zero::Kept),
    ("deletionGracePeriodSeconds", Shape::Integer, Zero::Kept),
    ("labels", Shape::TextMap, Zero::Omitted),
    ("annotations", Shape::TextMap, Zero::Omitted),
    ("ownerReferences", Shape::Objects(&OWNER_REFERENCE), Zero::Omitted),
    ("finalizers", Shape::TextList, Zero::Omitted),
    ("managedFields", Shape::Objects(&MANAGED_FIELDS_ENTRY), Zero::Omitted),
];

const OWNER_REFERENCE: [Field; 6] = [
    ("apiVersion", Shape::Text, Zero::Written),
    ("kind", Shape::Text, Zero::Written),
    ("name", Shape::Text, Zero::Written),
    ("uid", Shape::Text, Zero::Written),
    ("controller", Shape::Flag, Zero::Kept),
    ("blockOwnerDeletion", Shape::Flag, Zero::Kept),
];

const MANAGED_FIELDS_ENTRY: [Field; 7] = [
    ("manager", Shape::Text, Zero::Omitted),
    ("operation", Shape::Text, Zero::Omitted),
    ("apiVersion", Shape::Text, Zero::Omitted),
    ("time", Shape::Time, Zero::Kept),
    ("fieldsType", Shape::Text, Zero::Omitted),
    ("fieldsV1", Shape::Any, Zero::Kept),
    ("subresource", Shape::Text, Zero::Omitted),
];

pub(crate) fn object_meta(
    metadata: &mut Value,
    path: &FieldPath<'_>,
    wrong: WrongType,
    unknown: &mut Vec<String>,
) -> Result<(), DecodeError> {
    match metadata {
        Value::Object(fields) => fields_of(fields, &OBJECT_META, path, wrong, unknown),
        Value::Null => {
            *metadata = Value::Object(Map::new());
            Ok(())
        }
        _ => Err(error(path, "an object", metadata)),
    }
}

fn fields_of(
    object: &mut Map<String, Value>,
    fields: &'static [Field],
    path: &FieldPath<'_>,
    wrong: WrongType,
    unknown: &mut Vec<String>,
) -> Result<(), DecodeError> {
    let mut failure = None;
    object.retain(|name, value| {
        let place = path.name(name);
        let Some((_, shape, zero)) = fields.iter().find(|(known, ..)| known == name) else {
            unknown.push(place.to_string());
            json::dismantle(value.take());
            return false;
        };
        match field(value, *shape, &place, unknown) {
            Ok(is_zero) => match zero {
                Zero::Omitted => !is_zero,
                Zero::Kept => !value.is_null(),
                Zero::Written => true,
            },
            Err(error) => {
                json::dismantle(value.take());
                if wrong == WrongType::Refused && failure.is_none() {
                    failure = Some(error);
                }
                false
            }
        }
    });
    for (name, _, zero) in fields {
        if *zero == Zero::Written {
            object.entry(*name).and_modify(replace_null).or_insert_with(|| Value::from(""));
        }
    }
    failure.map_or(Ok(()), Err)
}

fn replace_null(value: &mut Value) {
    if value.is_null() {
        *value = Value::from("");
    }
}

/// Converts one field. Returns whether it has the zero value of its type.
fn field(
    value: &mut Value,
    shape: Shape,
    path: &FieldPath<'_>,
    unknown: &mut Vec<String>,
) -> Result<bool, DecodeError> {
    match (shape, &mut *value) {
        (_, Value::Null) => Ok(true),
        (Shape::Text, Value::String(text)) => Ok(text.is_empty()),
        (Shape::Flag, Value::Bool(flag)) => Ok(!*flag),
        (Shape::Any, _) => Ok(false),
        (Shape::Integer, Value::Number(number)) => {
            let Some(integer) = json::whole(number) else {
                return Err(error(path, "an integer within 64 bits", value));
            };
            *value = Value::from(integer);
            Ok(integer == 0)
        }
        (Shape::Time, Value::String(text)) => {
            let Some(utc) = time::in_utc(text) else {
                return Err(error(path, "a time such as 2006-01-02T15:04:05Z", value));
            };
            let zero = utc == time::ZERO;
            *text = utc;
            Ok(zero)
        }
        (Shape::TextMap, Value::Object(entries)) => {
            for (key, value) in entries.iter_mut() {
                text_or_null(value, &path.name(key))?;
            }
            Ok(entries.is_empty())
        }
        (Shape::TextList, Value::Array(elements)) => {
            for (index, element) in elements.iter_mut().enumerate() {
                text_or_null(element, &path.index(index))?;
            }
            Ok(elements.is_empty())
        }
        (Shape::Objects(fields), Value::Array(elements)) => {
            for (index, element) in elements.iter_mut().enumerate() {
                if element.is_null() {
                    *element = Value::Object(Map::new());
                }
                let place = path.index(index);
                let Value::Object(object) = element else {
                    return Err(error(&place, "an object", element));
                };
                fields_of(object, fields, &place, WrongType::Refused, unknown)?;
            }
            Ok(elements.is_empty())
        }
        (Shape::Text, _) => Err(error(path, "a string", value)),
        (Shape::Flag, _) => Err(error(path, "a boolean", value)),
        (Shape::Integer, _) => Err(error(path, "an integer", value)),
        (Shape::Time, _) => Err(error(path, "a time as a string", value)),
        (Shape::TextMap, _) => Err(error(path, "an object of strings", value)),
        (Shape::TextList | Shape::Objects(_), _) => Err(error(path, "an array", value)),
    }
}

fn text_or_null(value: &mut Value, path: &FieldPath<'_>) -> Result<(), DecodeError> {
    match value {
        Value::String(_) => Ok(()),
        Value::Null => {
            *value = Value::from("");
            Ok(())
        }
        _ => Err(error(path, "a string", value)),
    }
}

fn error(path: &FieldPath<'_>, expected: &str, value: &Value) -> DecodeError {
    DecodeError { field: path.to_string(), detail: format!("must be {expected}, is {}", json::kind(value)) }
}
