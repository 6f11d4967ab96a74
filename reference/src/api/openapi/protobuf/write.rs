//! Writes a document.

use serde_json::{Map, Value};

use super::messages::{
    API_KEY, BODY, DOCUMENT, ELSEWHERE, Holds, IN_QUERY, Message, Other, PATH, REFERENCE, RESPONSE, SCHEMA, as_whole,
};
use crate::wire::protobuf::Backwards;
use crate::wire::yaml;

/// A document in JSON as protobuf.
pub(crate) fn encode(document: &Value) -> Vec<u8> {
    let mut out = Backwards::default();
    message(&mut out, &DOCUMENT, document);
    out.finish()
}

/// Writes the fields of a message. All is written from the end to the start.
fn message(out: &mut Backwards, message: &Message, value: &Value) {
    let Value::Object(members) = value else { return };
    if message.extensions != 0 {
        extensions(out, message.extensions, members);
    }
    for (name, number, holds) in message.fields.iter().rev() {
        if let Some(value) = members.get(*name) {
            field(out, *number, holds, value);
        }
    }
}

/// Writes a field, unless it has its zero value.
fn field(out: &mut Backwards, number: u32, holds: &Holds, value: &Value) {
    match holds {
        Holds::Text => {
            if let Some(text) = value.as_str().filter(|text| !text.is_empty()) {
                out.text(number, text);
            }
        }
        Holds::Texts => texts(out, number, value),
        Holds::Flag => {
            if value == &Value::Bool(true) {
                out.varint(number, 1);
            }
        }
        Holds::Integer => {
            if let Some(integer) = value.as_i64().or_else(|| as_whole(value)).filter(|integer| *integer != 0) {
                out.varint(number, integer.cast_unsigned());
            }
        }
        Holds::Float => {
            if let Some(float) = value.as_f64().filter(|float| *float != 0.0) {
                out.fixed(number, float.to_bits());
            }
        }
        Holds::Any => any(out, number, value),
        Holds::AnyList => elements(value).rev().for_each(|value| any(out, number, value)),
        Holds::One(of) => out.within(number, |out| message(out, of, value)),
        Holds::List(of) => {
            elements(value).rev().for_each(|value| out.within(number, |out| message(out, of, value)));
        }
        Holds::Members(of) => out.within(number, |out| named(out, 1, value, |out, value| message(out, of, value))),
        Holds::Other(other) => written(out, number, *other, value),
    }
}

fn written(out: &mut Backwards, number: u32, other: Other, value: &Value) {
    match other {
        Other::Paths => paths(out, number, value),
        Other::ParameterDefinitions => parameter_definitions(out, number, value),
        Other::SecurityRequirements => security_requirements(out, number, value),
        Other::SecurityDefinitions => security_definitions(out, number, value),
        Other::Parameters => parameters(out, number, value),
        Other::Responses => responses(out, number, value),
        Other::Schema => first(out, number, value),
        Other::SchemaOrFlag => schema_or_flag(out, number, value),
        Other::Types => types(out, number, value),
    }
}

fn elements(value: &Value) -> std::slice::Iter<'_, Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

fn texts(out: &mut Backwards, number: u32, value: &Value) {
    elements(value).rev().filter_map(Value::as_str).for_each(|text| out.text(number, text));
}

/// A value of any type, as YAML.
fn any(out: &mut Backwards, number: u32, value: &Value) {
    out.within(number, |out| out.within(2, |out| out.bytes(&yaml::write(value))));
}

/// The members of an object, each as a message of its name and its value.
fn named(out: &mut Backwards, number: u32, value: &Value, write: impl Fn(&mut Backwards, &Value)) {
    for (name, value) in value.as_object().into_iter().flatten().rev() {
        out.within(number, |out| {
            out.within(2, |out| write(out, value));
            out.text(1, name);
        });
    }
}

fn extensions(out: &mut Backwards, number: u32, members: &Map<String, Value>) {
    for (name, value) in members.iter().rev().filter(|(name, _)| name.starts_with("x-")) {
        out.within(number, |out| {
            any(out, 2, value);
            out.text(1, name);
        });
    }
}

fn paths(out: &mut Backwards, number: u32, value: &Value) {
    out.within(number, |out| named(out, 2, value, |out, value| message(out, &PATH, value)));
}

/// A message whose field 1 is a schema.
fn first(out: &mut Backwards, number: u32, value: &Value) {
    out.within(number, |out| out.within(1, |out| message(out, &SCHEMA, value)));
}

fn schema_or_flag(out: &mut Backwards, number: u32, value: &Value) {
    match value {
        Value::Bool(flag) => out.within(number, |out| out.varint(2, u64::from(*flag))),
        schema => first(out, number, schema),
    }
}

fn types(out: &mut Backwards, number: u32, value: &Value) {
    out.within(number, |out| match value {
        Value::String(name) => out.text(1, name),
        names => texts(out, 1, names),
    });
}

fn parameters(out: &mut Backwards, number: u32, value: &Value) {
    for value in elements(value).rev() {
        out.within(number, |out| match value.get("$ref") {
            Some(_) => out.within(2, |out| message(out, &REFERENCE, value)),
            None => out.within(1, |out| parameter(out, value)),
        });
    }
}

fn parameter(out: &mut Backwards, value: &Value) {
    let (number, of) = match value["in"].as_str() {
        Some("body") => return out.within(1, |out| message(out, &BODY, value)),
        Some("query") => (3, &IN_QUERY),
        Some("path") => (4, &ELSEWHERE),
        _ => (1, &ELSEWHERE),
    };
    out.within(2, |out| out.within(number, |out| message(out, of, value)));
}

fn parameter_definitions(out: &mut Backwards, number: u32, value: &Value) {
    out.within(number, |out| named(out, 1, value, parameter));
}

fn responses(out: &mut Backwards, number: u32, value: &Value) {
    let response = |out: &mut Backwards, value: &Value| match value.get("$ref") {
        Some(_) => out.within(2, |out| message(out, &REFERENCE, value)),
        None => out.within(1, |out| message(out, &RESPONSE, value)),
    };
    out.within(number, |out| named(out, 1, value, response));
}

fn security_requirements(out: &mut Backwards, number: u32, value: &Value) {
    for value in elements(value).rev() {
        out.within(number, |out| named(out, 1, value, |out, value| texts(out, 1, value)));
    }
}

/// Only keys are known here: the token of a client.
fn security_definitions(out: &mut Backwards, number: u32, value: &Value) {
    out.within(number, |out| named(out, 1, value, |out, value| out.within(2, |out| message(out, &API_KEY, value))));
}
