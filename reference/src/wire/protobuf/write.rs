//! Writing JSON as the message that means the same, byte for byte as upstream writes it.
//!
//! Fields of Go structs that are no pointers are always written, so a field that JSON leaves out is written with its
//! zero value. Fields are in the order of their numbers, and the entries of maps in the order of their keys.

use std::cmp::Reverse;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};

use super::backwards::Backwards;
use super::message::{Occurs, RAW, may_be_flag, occurs};
use crate::kinds::{Content, Element, Field, Type};
use crate::wire::go_time::{Moment, SECOND, parse_rfc_3339};
use crate::wire::json;

/// Writes the message that these members are.
pub(super) fn message(out: &mut Backwards, of: &Type, members: &Map<String, Value>) {
    let mut fields: Vec<&Field> = of.fields().filter(|field| field.number > 0).collect();
    fields.sort_unstable_by_key(|field| Reverse(field.number));
    fields.into_iter().for_each(|field| member(out, field, members.get(field.name)));
}

/// Writes a field as often as it occurs. Null is a value only within JSON.
fn member(out: &mut Backwards, field: &Field, member: Option<&Value>) {
    let (number, element) = (field.number, field.element);
    let is_json = matches!(element, Element::Of(Type { content: Content::Json(_), .. }));
    let member = member.filter(|value| is_json || !value.is_null());
    match occurs(field) {
        // Even where they are not optional, bytes are written only if they are set.
        Occurs::Once if !matches!(element, Element::Bytes) => {
            value(out, element, number, member.unwrap_or(&Value::Null));
        }
        Occurs::Once | Occurs::Optionally => member.into_iter().for_each(|member| value(out, element, number, member)),
        Occurs::Many => {
            let items = member.and_then(Value::as_array).into_iter().flatten().rev();
            items.for_each(|item| value(out, element, number, item));
        }
        Occurs::ByKey => {
            for (key, item) in member.and_then(Value::as_object).into_iter().flatten().rev() {
                out.within(number, |out| {
                    value(out, element, 2, item);
                    out.text(1, key);
                });
            }
        }
    }
}

/// Writes a value; one of another type than its field is written as the zero value.
fn value(out: &mut Backwards, element: Element, number: u32, value: &Value) {
    match element {
        Element::Text => out.text(number, value.as_str().unwrap_or_default()),
        Element::Bytes => {
            let bytes = value.as_str().and_then(|text| BASE64_STANDARD.decode(text).ok()).unwrap_or_default();
            out.within(number, |out| out.bytes(&bytes));
        }
        Element::Flag => out.varint(number, u64::from(value.as_bool().unwrap_or_default())),
        Element::Int32 | Element::Int64 => out.varint(number, integer(value).cast_unsigned()),
        Element::Double => out.fixed(number, value.as_f64().unwrap_or_default().to_bits()),
        Element::Of(of) => typed(out, of, number, value),
    }
}

/// Writes a value that is a message.
fn typed(out: &mut Backwards, of: &Type, number: u32, value: &Value) {
    match of.content {
        Content::Struct | Content::Schema => out.within(number, |out| match value.as_object() {
            Some(members) => message(out, of, members),
            None => message(out, of, &Map::new()),
        }),
        Content::Time => time(out, of, number, value, SECOND),
        Content::MicroTime => time(out, of, number, value, 1000),
        // Null is a message without parts.
        Content::Json(_) if value.is_null() => out.within(number, |_| {}),
        Content::Json(_) => out.within(number, |out| out.within(RAW, |out| out.bytes(&raw(value)))),
        Content::Words => parts(out, of, number, [Some(value)]),
        Content::Either => {
            let (any, has_flag) = (Value::Bool(true), may_be_flag(of));
            let is_second = if has_flag { !value.is_boolean() } else { value.is_array() };
            let first = if is_second { has_flag.then_some(&any) } else { Some(value) };
            parts(out, of, number, [first, is_second.then_some(value)]);
        }
    }
}

/// Writes a field that is a message with these members, in the order of its type.
fn parts<const N: usize>(out: &mut Backwards, of: &Type, number: u32, members: [Option<&Value>; N]) {
    out.within(number, |out| {
        let members: Vec<_> = of.fields().zip(members).collect();
        members.into_iter().rev().for_each(|(field, value)| member(out, field, value));
    });
}

fn integer(value: &Value) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "JSON may write an integer with a fraction of zero")]
    let rounded = || value.as_f64().map(|number| number as i64);
    value.as_i64().or_else(rounded).unwrap_or_default()
}

/// Writes a time without what is below the precision, in nanoseconds. Go's zero time is a message without parts.
fn time(out: &mut Backwards, of: &Type, number: u32, value: &Value, precision: i128) {
    let moment = value.as_str().and_then(parse_rfc_3339).filter(|moment| *moment != Moment::ZERO);
    let members = moment.map(|Moment(nanos)| {
        let below = nanos.rem_euclid(SECOND);
        [nanos.div_euclid(SECOND), below - below % precision]
            .map(|part| Value::from(i64::try_from(part).unwrap_or_default()))
    });
    parts(out, of, number, members.as_ref().map_or([None, None], |members| members.each_ref().map(Some)));
}

/// JSON as Go writes it: some characters, which occur only in texts, are escaped.
fn raw(value: &Value) -> Vec<u8> {
    let text = json::write(value);
    let Ok(text) = String::from_utf8(text) else { return Vec::new() };
    if !text.contains(ESCAPED) {
        return text.into_bytes();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if ESCAPED.contains(&letter) {
            escaped.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            escaped.push(letter);
        }
    }
    escaped.into_bytes()
}

/// The characters that Go escapes in JSON, beside those that JSON requires to be escaped.
const ESCAPED: [char; 5] = ['<', '>', '&', '\u{2028}', '\u{2029}'];
