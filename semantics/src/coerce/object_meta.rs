//! The fields of `ObjectMeta`, their types, and how each is converted.

use serde_json::{Map, Value};

use super::{WrongType, time};
use crate::{DecodeError, FieldPath, go_text::quoted, json};

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
    Objects(&'static Struct),
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

/// A type with fields, and its name in messages.
struct Struct {
    name: &'static str,
    fields: &'static [Field],
}

static OBJECT_META: Struct = Struct { name: "ObjectMeta", fields: &OBJECT_META_FIELDS };
static OWNER_REFERENCE: Struct = Struct { name: "OwnerReference", fields: &OWNER_REFERENCE_FIELDS };
static MANAGED_FIELDS_ENTRY: Struct = Struct { name: "ManagedFieldsEntry", fields: &MANAGED_FIELDS_ENTRY_FIELDS };

static OBJECT_META_FIELDS: [Field; 15] = [
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

static OWNER_REFERENCE_FIELDS: [Field; 6] = [
    ("apiVersion", Shape::Text, Zero::Written),
    ("kind", Shape::Text, Zero::Written),
    ("name", Shape::Text, Zero::Written),
    ("uid", Shape::Text, Zero::Written),
    ("controller", Shape::Flag, Zero::Kept),
    ("blockOwnerDeletion", Shape::Flag, Zero::Kept),
];

static MANAGED_FIELDS_ENTRY_FIELDS: [Field; 7] = [
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
        Value::Object(fields) => fields_of(fields, &OBJECT_META, (path, ""), wrong, unknown),
        Value::Null => {
            *metadata = Value::Object(Map::new());
            Ok(())
        }
        _ => {
            let detail = format!("json: cannot unmarshal {} into Go value of type v1.ObjectMeta", json_type(metadata));
            Err(DecodeError { field: path.to_string(), detail })
        }
    }
}

/// `prefix` is what stands before the fields' names in messages.
fn fields_of(
    object: &mut Map<String, Value>,
    of: &'static Struct,
    (path, prefix): (&FieldPath<'_>, &str),
    wrong: WrongType,
    unknown: &mut Vec<String>,
) -> Result<(), DecodeError> {
    let fields = of.fields;
    let mut failure = None;
    object.retain(|name, value| {
        let place = path.name(name);
        let Some((_, shape, zero)) = fields.iter().find(|(known, ..)| known == name) else {
            unknown.push(place.to_string());
            json::dismantle(value.take());
            return false;
        };
        let named = Named { of, prefix, name };
        match field(value, *shape, &place, named, unknown) {
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
    named: Named<'_>,
    unknown: &mut Vec<String>,
) -> Result<bool, DecodeError> {
    match (shape, &mut *value) {
        (_, Value::Null) => Ok(true),
        (Shape::Text, Value::String(text)) => Ok(text.is_empty()),
        (Shape::Flag, Value::Bool(flag)) => Ok(!*flag),
        (Shape::Any, _) => Ok(false),
        (Shape::Integer, Value::Number(number)) => {
            let Some(integer) = json::whole(number) else {
                return Err(named.error(path, "int64", value));
            };
            *value = Value::from(integer);
            Ok(integer == 0)
        }
        (Shape::Time, Value::String(text)) => {
            let Some(utc) = time::in_utc(text) else {
                let text = quoted(text);
                let detail =
                    format!("parsing time {text} as \"2006-01-02T15:04:05Z07:00\": cannot parse {text} as \"2006\"");
                return Err(DecodeError { field: path.to_string(), detail });
            };
            let zero = utc == time::ZERO;
            *text = utc;
            Ok(zero)
        }
        (Shape::TextMap, Value::Object(entries)) => {
            for (key, value) in entries.iter_mut() {
                text_or_null(value, &path.name(key), named)?;
            }
            Ok(entries.is_empty())
        }
        (Shape::TextList, Value::Array(elements)) => {
            for (index, element) in elements.iter_mut().enumerate() {
                text_or_null(element, &path.index(index), named)?;
            }
            Ok(elements.is_empty())
        }
        (Shape::Objects(of), Value::Array(elements)) => {
            let prefix = format!("{}{}.", named.prefix, named.name);
            for (index, element) in elements.iter_mut().enumerate() {
                if element.is_null() {
                    *element = Value::Object(Map::new());
                }
                let place = path.index(index);
                let Value::Object(object) = element else {
                    return Err(named.error(&place, shape.element_type(), element));
                };
                fields_of(object, of, (&place, &prefix), WrongType::Refused, unknown)?;
            }
            Ok(elements.is_empty())
        }
        _ => Err(named.error(path, shape.go_type(named.name), value)),
    }
}

/// A field, as messages name it.
#[derive(Clone, Copy)]
struct Named<'a> {
    of: &'static Struct,
    prefix: &'a str,
    name: &'a str,
}

impl Named<'_> {
    /// A value of another type than this one.
    fn error(self, path: &FieldPath<'_>, expected: &str, value: &Value) -> DecodeError {
        let found = match value {
            Value::Number(number) if expected == "int64" => format!("number {number}"),
            other => json_type(other).to_owned(),
        };
        let Self { of: Struct { name: of, .. }, prefix, name } = self;
        let detail =
            format!("json: cannot unmarshal {found} into Go struct field {of}.{prefix}{name} of type {expected}");
        DecodeError { field: path.to_string(), detail }
    }
}

impl Shape {
    /// Its type in messages.
    fn go_type(self, name: &str) -> &'static str {
        match self {
            Self::Text if name == "uid" => "types.UID",
            Self::Text if name == "operation" => "v1.ManagedFieldsOperationType",
            Self::Text | Self::Time => "string",
            Self::Integer => "int64",
            Self::Flag => "bool",
            Self::TextMap => "map[string]string",
            Self::TextList => "[]string",
            Self::Objects(of) if of.name == OWNER_REFERENCE.name => "[]v1.OwnerReference",
            Self::Objects(_) => "[]v1.ManagedFieldsEntry",
            Self::Any => "v1.FieldsV1",
        }
    }

    /// The type of its elements in messages.
    fn element_type(self) -> &'static str {
        self.go_type("").trim_start_matches("[]")
    }
}

/// The type of a JSON value in the words of Go's decoder.
pub(super) fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        other => json::kind(other),
    }
}

fn text_or_null(value: &mut Value, path: &FieldPath<'_>, named: Named<'_>) -> Result<(), DecodeError> {
    match value {
        Value::String(_) => Ok(()),
        Value::Null => {
            *value = Value::from("");
            Ok(())
        }
        _ => Err(named.error(path, "string", value)),
    }
}
