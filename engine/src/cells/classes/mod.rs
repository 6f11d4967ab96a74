//! The class of a value under a keyword, from the value and the keyword's argument.

mod containers;
mod numbers;
mod quantifiers;
mod texts;

use crdible_generators::json::Json;
use serde_json::{Map, Value};

use super::class::Class;

pub(crate) use numbers::Number;
pub(crate) use texts::just_missed;

/// The classes of one value under one keyword.
#[derive(Debug, Default)]
pub(crate) struct Found(Vec<Class>);

impl Found {
    /// The value is of this class.
    fn add(&mut self, class: Class) {
        self.0.push(class);
    }

    /// The value is of this class if that holds.
    fn add_if(&mut self, holds: bool, class: Class) {
        if holds {
            self.0.push(class);
        }
    }

    /// The classes.
    pub(crate) fn classes(self) -> impl Iterator<Item = Class> {
        self.0.into_iter()
    }
}

/// Finds the classes of a value under a keyword of a node.
pub(crate) fn classify(
    found: &mut Found,
    name: &str,
    argument: &Value,
    schema: &Map<String, Value>,
    value: Option<&Json>,
    is_root: bool,
) {
    let value = match value {
        None => return found.add(Class::Absent),
        Some(Json::Null) => return found.add(Class::Null),
        Some(value) => value,
    };
    match name {
        "type" => typed(found, argument.as_str().unwrap_or_default(), value),
        "x-kubernetes-int-or-string" => match value {
            Json::String(text) => texts::characters(found, text),
            Json::Number(text) => numbers::sort(found, &Number::of(text)),
            _ => found.add(Class::OtherKind),
        },
        "minLength" | "maxLength" => texts::length(found, name, argument, value),
        "pattern" => texts::pattern(found, argument, value),
        "format" => format(found, argument, schema, value),
        "minimum" | "maximum" => numbers::bound(found, name == "minimum", argument, value),
        "exclusiveMinimum" => numbers::exclusive(found, true, schema.get("minimum"), value),
        "exclusiveMaximum" => numbers::exclusive(found, false, schema.get("maximum"), value),
        "multipleOf" => numbers::multiple(found, argument, value),
        "minItems" | "maxItems" => containers::elements(found, name, argument, value),
        "minProperties" | "maxProperties" => containers::keys(found, name, argument, value, is_root),
        "properties" => containers::properties(found, argument, schema, value),
        "additionalProperties" => containers::map(found, schema, value),
        "items" => containers::sizes(found, matches!(value, Json::Array(_)), value),
        "x-kubernetes-map-type" => containers::sizes(found, matches!(value, Json::Object(_)), value),
        "required" => containers::required(found, argument, value),
        "enum" => listed(found, argument, value),
        "default" => default(found, argument, value),
        "x-kubernetes-preserve-unknown-fields" => containers::preserved(found, schema, value),
        "x-kubernetes-embedded-resource" => containers::embedded(found, schema, value),
        "x-kubernetes-list-type" => containers::topology(found, schema, value),
        "allOf" | "anyOf" | "oneOf" | "not" => quantifiers::quantifier(found, name, argument, value),
        _ => found.add(Class::Given),
    }
}

fn typed(found: &mut Found, type_name: &str, value: &Json) {
    match (type_name, value) {
        ("string", Json::String(text)) => texts::characters(found, text),
        ("integer" | "number", Json::Number(text)) => numbers::sort(found, &Number::of(text)),
        ("boolean", Json::Bool(true)) => found.add(Class::True),
        ("boolean", Json::Bool(false)) => found.add(Class::False),
        ("object", Json::Object(_)) | ("array", Json::Array(_)) => containers::sizes(found, true, value),
        _ => found.add(Class::OtherKind),
    }
}

fn format(found: &mut Found, argument: &Value, schema: &Map<String, Value>, value: &Json) {
    // For an ignored format only this class counts.
    found.add(Class::Given);
    let name = argument.as_str().unwrap_or_default();
    match value {
        Json::String(text) => texts::format(found, name, text),
        Json::Number(text) if schema.contains_key("type") => numbers::format(found, name, &Number::of(text)),
        _ => found.add(Class::OtherKind),
    }
}

fn listed(found: &mut Found, argument: &Value, value: &Json) {
    let Some(list) = argument.as_array() else { return };
    if list.iter().any(|listed| same(listed, value)) {
        return found.add(match value {
            Json::String(_) => Class::ListedText,
            Json::Number(_) => Class::ListedNumber,
            Json::Bool(_) => Class::ListedBoolean,
            Json::Object(_) => Class::ListedObject,
            Json::Array(_) => Class::ListedList,
            Json::Null => Class::Null,
        });
    }
    let is_of_a_kind = list.iter().any(|listed| same_kind(listed, value));
    found.add(if is_of_a_kind { Class::Unlisted } else { Class::OtherKind });
}

fn default(found: &mut Found, argument: &Value, value: &Json) {
    found.add(if same(argument, value) {
        Class::Equal
    } else if same_kind(argument, value) {
        Class::Different
    } else {
        Class::OtherKind
    });
}

/// Whether two values are of one JSON kind.
fn same_kind(one: &Value, other: &Json) -> bool {
    matches!(
        (one, other),
        (Value::Null, Json::Null)
            | (Value::Bool(_), Json::Bool(_))
            | (Value::Number(_), Json::Number(_))
            | (Value::String(_), Json::String(_))
            | (Value::Array(_), Json::Array(_))
            | (Value::Object(_), Json::Object(_))
    )
}

/// Whether two values are equal, whatever the order of keys.
fn same(one: &Value, other: &Json) -> bool {
    match (one, other) {
        (Value::Number(one), Json::Number(other)) => Number::of(&one.to_string()).equals(&Number::of(other)),
        (Value::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && other.iter().all(|(key, other)| one.get(key).is_some_and(|one| same(one, other)))
        }
        (Value::Null, Json::Null) => true,
        (Value::Bool(one), Json::Bool(other)) => one == other,
        (Value::String(one), Json::String(other)) => one == other,
        _ => false,
    }
}
