//! Lists and objects, and the keywords that apply to them.

use crdible_generators::json::Json;
use serde_json::{Map, Value};

use super::{
    super::class::{Class, OddKey},
    Found, Number, texts,
};

type Entries = [(String, Json)];

fn entries(value: &Json) -> Option<&Entries> {
    match value {
        Json::Object(entries) => Some(entries),
        _ => None,
    }
}

fn size(found: &mut Found, count: usize) {
    found.add(match count {
        0 => Class::Empty,
        1 => Class::One,
        _ => Class::Several,
    });
}

/// The size of a list or an object, if it is of the right kind.
pub(super) fn sizes(found: &mut Found, is_of_the_kind: bool, value: &Json) {
    match value {
        Json::Array(elements) if is_of_the_kind => size(found, elements.len()),
        Json::Object(entries) if is_of_the_kind => size(found, entries.len()),
        _ => found.add(Class::OtherKind),
    }
}

fn counted(found: &mut Found, is_least: bool, argument: &Value, count: usize) {
    let (Some(bound), Ok(count)) = (argument.as_i64(), i64::try_from(count)) else { return };
    found.add_if(count == 0, Class::Empty);
    texts::distance(found, if is_least { count - bound } else { bound - count });
}

/// A list under `minItems` or `maxItems`.
pub(super) fn elements(found: &mut Found, name: &str, argument: &Value, value: &Json) {
    match value {
        Json::Array(elements) => counted(found, name == "minItems", argument, elements.len()),
        _ => found.add(Class::OtherKind),
    }
}

/// An object under `minProperties` or `maxProperties`, as it is sent.
pub(super) fn keys(found: &mut Found, name: &str, argument: &Value, value: &Json, is_root: bool) {
    // Those that every object has (VALUE-022).
    const META_FIELDS: usize = 3;
    match entries(value) {
        Some(entries) => {
            let count = entries.len() + if is_root { META_FIELDS } else { 0 };
            counted(found, name == "minProperties", argument, count);
        }
        None => found.add(Class::OtherKind),
    }
}

/// An object under `properties`.
pub(super) fn properties(found: &mut Found, argument: &Value, schema: &Map<String, Value>, value: &Json) {
    let (Some(entries), Some(properties)) = (entries(value), argument.as_object()) else {
        return found.add(Class::OtherKind);
    };
    found.add_if(entries.is_empty(), Class::Empty);
    let has = |name: &String| entries.iter().any(|(key, _)| key == name);
    found.add_if(properties.keys().any(has), Class::Declared);
    found.add_if(!properties.keys().all(has), Class::Missing);
    let is_open = schema.contains_key("additionalProperties");
    for (key, _) in entries {
        if properties.contains_key(key) {
            found.0.extend(OddKey::of(key).map(Class::Key));
        } else if !is_open {
            found.add(Class::Unknown);
            found.0.extend(OddKey::of(key).map(Class::UnknownKey));
        }
    }
}

/// An object under `additionalProperties`: the keys that are not declared.
pub(super) fn map(found: &mut Found, schema: &Map<String, Value>, value: &Json) {
    let Some(entries) = entries(value) else { return found.add(Class::OtherKind) };
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_declared = |key: &str| properties.is_some_and(|properties| properties.contains_key(key));
    let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).filter(|key| !is_declared(key)).collect();
    size(found, keys.len());
    found.0.extend(keys.into_iter().filter_map(OddKey::of).map(Class::Key));
}

/// An object under `required`.
pub(super) fn required(found: &mut Found, argument: &Value, value: &Json) {
    let (Some(entries), Some(names)) = (entries(value), argument.as_array()) else {
        return found.add(Class::OtherKind);
    };
    let value_of = |name: &Value| entries.iter().find(|(key, _)| name.as_str() == Some(key)).map(|(_, value)| value);
    found.add(match names.iter().filter(|name| value_of(name).is_none()).count() {
        0 => Class::AllThere,
        1 => Class::Missing,
        _ => Class::SeveralMissing,
    });
    found.add_if(names.iter().any(|name| value_of(name) == Some(&Json::Null)), Class::NullThere);
}

/// Any value at a node that preserves unknown fields.
pub(super) fn preserved(found: &mut Found, schema: &Map<String, Value>, value: &Json) {
    match value {
        Json::String(_) => found.add(Class::OneByte),
        Json::Number(_) => found.add(Class::Positive),
        Json::Bool(_) => found.add(Class::True),
        Json::Array(_) => found.add(Class::Several),
        Json::Null => found.add(Class::Null),
        Json::Object(entries) => {
            let properties = schema.get("properties").and_then(Value::as_object);
            let is_declared = |key: &str| properties.is_some_and(|properties| properties.contains_key(key));
            found.add_if(entries.is_empty(), Class::Empty);
            for (key, value) in entries.iter().filter(|(key, _)| !is_declared(key)) {
                found.add(Class::Unknown);
                found.add_if(*value == Json::Null, Class::NullThere);
                found.0.extend(OddKey::of(key).map(Class::UnknownKey));
            }
        }
    }
}

/// An object at an embedded resource.
pub(super) fn embedded(found: &mut Found, schema: &Map<String, Value>, value: &Json) {
    let Some(entries) = entries(value) else { return found.add(Class::OtherKind) };
    let has = |name: &str| entries.iter().any(|(key, _)| key == name);
    found.add(match (has("apiVersion") && has("kind"), has("metadata")) {
        (true, true) => Class::Complete,
        (true, false) => Class::Bare,
        (false, _) => Class::Incomplete,
    });
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_known = |key: &str| {
        matches!(key, "apiVersion" | "kind" | "metadata")
            || properties.is_some_and(|properties| properties.contains_key(key))
    };
    found.add_if(entries.iter().any(|(key, _)| !is_known(key)), Class::Unknown);
}

/// A list under its list type: for a map list the keys decide, for others the whole elements.
pub(super) fn topology(found: &mut Found, schema: &Map<String, Value>, value: &Json) {
    let Json::Array(elements) = value else { return found.add(Class::OtherKind) };
    match elements.len() {
        0 => return found.add(Class::Empty),
        1 => return found.add(Class::One),
        _ => {}
    }
    let keys = schema.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
    let is_repeated = |(index, element): (usize, &Json)| {
        elements[..index].iter().any(|earlier| match keys {
            Some(keys) => keys.iter().all(|key| part(earlier, key) == part(element, key)),
            None => equal(earlier, element),
        })
    };
    let has_repeated = elements.iter().enumerate().any(is_repeated);
    found.add(if has_repeated { Class::Duplicate } else { Class::Distinct });
}

/// The value of a key, as text.
fn part(element: &Json, key: &Value) -> Option<String> {
    let entries = entries(element)?;
    entries.iter().find(|(name, _)| key.as_str() == Some(name)).map(|(_, value)| value.to_text())
}

fn equal(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => Number::of(one).equals(&Number::of(other)),
        (one, other) => one.to_value() == other.to_value(),
    }
}
