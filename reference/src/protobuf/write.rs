//! Writing JSON as the message that means the same, byte for byte as upstream writes it.
//!
//! Fields of Go structs that are no pointers are always written, so a field that JSON leaves out is written with its zero value.
//! Fields are in the order of their numbers, and the entries of maps in the order of their keys.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};

use super::backwards::Backwards;
use super::table::{Count, Field, Kind, RAW, TIME, WORDS, schema_or_bool, schema_or_list, schema_or_names};
use crate::go_time::{Moment, SECOND, parse_rfc_3339};
use crate::json;

/// Writes the message that these members are.
pub(super) fn message(out: &mut Backwards, table: &[Field], members: &Map<String, Value>) {
    table.iter().rev().for_each(|field| member(out, field, members.get(field.name)));
}

/// Writes a field as often as it occurs. Null is a value only within JSON.
fn member(out: &mut Backwards, Field { number, count, kind, .. }: &Field, member: Option<&Value>) {
    let member = member.filter(|value| !value.is_null() || matches!(kind, Kind::Json));
    match count {
        Count::One if !matches!(kind, Kind::Bytes) => value(out, *kind, *number, member.unwrap_or(&Value::Null)),
        Count::One | Count::Optional => member.into_iter().for_each(|member| value(out, *kind, *number, member)),
        Count::Many => {
            let items = member.and_then(Value::as_array).into_iter().flatten().rev();
            items.for_each(|item| value(out, *kind, *number, item));
        }
        Count::Map => {
            for (key, item) in member.and_then(Value::as_object).into_iter().flatten().rev() {
                out.within(*number, |out| {
                    value(out, *kind, 2, item);
                    out.text(1, key);
                });
            }
        }
    }
}

/// Writes a value; one of another type than its field is written as the zero value.
fn value(out: &mut Backwards, kind: Kind, number: u32, value: &Value) {
    match kind {
        Kind::Text => out.text(number, value.as_str().unwrap_or_default()),
        Kind::Bytes => {
            let bytes = value.as_str().and_then(|text| BASE64_STANDARD.decode(text).ok()).unwrap_or_default();
            out.within(number, |out| out.bytes(&bytes));
        }
        Kind::Bool => out.varint(number, u64::from(value.as_bool().unwrap_or_default())),
        Kind::Int | Kind::Int32 => out.varint(number, integer(value).cast_unsigned()),
        Kind::Double => out.fixed(number, value.as_f64().unwrap_or_default().to_bits()),
        // Null is a message without parts.
        Kind::Json if value.is_null() => out.within(number, |_| {}),
        Kind::Json => out.within(number, |out| out.within(RAW, |out| out.bytes(&raw(value)))),
        Kind::Time => time(out, number, value, SECOND),
        Kind::MicroTime => time(out, number, value, 1000),
        Kind::Words => parts(out, number, &WORDS, [Some(value)]),
        Kind::Message(table) => out.within(number, |out| match value.as_object() {
            Some(members) => message(out, table, members),
            None => message(out, table, &Map::new()),
        }),
        Kind::SchemaOrBool(schema) => {
            let members =
                if value.is_boolean() { [Some(value), None] } else { [Some(&Value::Bool(true)), Some(value)] };
            parts(out, number, &schema_or_bool(schema), members);
        }
        Kind::SchemaOrList(schema) => parts(out, number, &schema_or_list(schema), alternatives(value)),
        Kind::SchemaOrNames(schema) => parts(out, number, &schema_or_names(schema), alternatives(value)),
    }
}

/// Writes a field that is a message with these members, in the order of its table.
fn parts<const N: usize>(out: &mut Backwards, number: u32, table: &[Field; N], members: [Option<&Value>; N]) {
    out.within(number, |out| {
        for (field, value) in table.iter().zip(members).rev() {
            member(out, field, value);
        }
    });
}

/// The members of a message for a schema or a list.
fn alternatives(value: &Value) -> [Option<&Value>; 2] {
    if value.is_array() { [None, Some(value)] } else { [Some(value), None] }
}

fn integer(value: &Value) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "JSON may write an integer with a fraction of zero")]
    let rounded = || value.as_f64().map(|number| number as i64);
    value.as_i64().or_else(rounded).unwrap_or_default()
}

/// Writes a time without what is below the precision, in nanoseconds. Go's zero time is a message without parts.
fn time(out: &mut Backwards, number: u32, value: &Value, precision: i128) {
    let moment = value.as_str().and_then(parse_rfc_3339).filter(|moment| *moment != Moment::ZERO);
    let members = moment.map(|Moment(nanos)| {
        let below = nanos.rem_euclid(SECOND);
        [nanos.div_euclid(SECOND), below - below % precision]
            .map(|part| Value::from(i64::try_from(part).unwrap_or_default()))
    });
    parts(out, number, &TIME, members.as_ref().map_or([None, None], |members| members.each_ref().map(Some)));
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
