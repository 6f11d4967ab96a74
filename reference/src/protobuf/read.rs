//! Reading messages into the JSON that means the same.
//!
//! As other decoders do: fields may come in any order, the last value of a scalar counts, messages that are repeated
//! where one is expected are merged, and fields that a table does not have are dropped.
//!
//! Fields of Go structs that are no pointers are always encoded, so their zero values count as unset.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Number, Value};

use super::table::{Count, Field, Kind, RAW, TIME, WORDS, schema_or_bool, schema_or_list, schema_or_names};
use super::wire::{Wire, fields};
use crate::go_time::{Moment, SECOND};
use crate::json;

/// How deep the JSON may be that a message is decoded into. Schemas are recursive, and a body in protobuf is read on a
/// stack of the usual size.
const MAX_NESTING: usize = 100;

/// Decodes a message.
pub(super) fn read(table: &[Field], bytes: &[u8]) -> Result<Value, String> {
    message(table, bytes, 0).map(Value::Object)
}

/// Decodes a message within `outer` levels.
fn message(table: &[Field], bytes: &[u8], outer: usize) -> Result<Map<String, Value>, String> {
    let level = deeper(outer)?;
    let mut members = Map::new();
    // Messages are merged by decoding them one after the other.
    let mut parts: BTreeMap<u32, Cow<'_, [u8]>> = BTreeMap::new();
    fields(bytes, |number, wire| {
        let Some(field) = table.iter().find(|field| field.number == number) else { return Ok(()) };
        match field.count {
            Count::One | Count::Optional if field.kind.is_message() => {
                let part = wire.bytes(number)?;
                parts.entry(number).and_modify(|all| all.to_mut().extend(part)).or_insert(Cow::Borrowed(part));
            }
            Count::One | Count::Optional => {
                members.insert(field.name.into(), value(field.kind, number, wire, level)?);
            }
            Count::Many => {
                let item = value(field.kind, number, wire, deeper(level)?)?;
                match members.get_mut(field.name).and_then(Value::as_array_mut) {
                    Some(items) => items.push(item),
                    None => drop(members.insert(field.name.into(), vec![item].into())),
                }
            }
            Count::Map => {
                let (key, item) = entry(field.kind, wire.bytes(number)?, deeper(level)?)?;
                match members.get_mut(field.name).and_then(Value::as_object_mut) {
                    Some(items) => drop(items.insert(key, item)),
                    None => drop(members.insert(field.name.into(), Map::from_iter([(key, item)]).into())),
                }
            }
        }
        Ok::<_, String>(())
    })?;
    for field in table {
        if let Some(part) = parts.get(&field.number) {
            members.insert(field.name.into(), value(field.kind, field.number, Wire::Bytes(part), level)?);
        }
        let is_unset = |value: &Value| match field.kind {
            // There is no time that is null, even where it is optional.
            Kind::Time | Kind::MicroTime => value.is_null(),
            _ => field.count == Count::One && is_zero(value),
        };
        if members.get(field.name).is_some_and(is_unset) {
            members.remove(field.name);
        }
    }
    Ok(members)
}

/// The key and the value of an entry of a map; each may be missing.
fn entry(kind: Kind, bytes: &[u8], level: usize) -> Result<(String, Value), String> {
    let (mut key, mut part) = (String::new(), Vec::new());
    fields(bytes, |number, wire| {
        match number {
            1 => wire.text(number)?.clone_into(&mut key),
            2 if kind.is_message() => part.extend(wire.bytes(number)?),
            2 => wire.bytes(number)?.clone_into(&mut part),
            _ => {}
        }
        Ok::<_, String>(())
    })?;
    Ok((key, value(kind, 2, Wire::Bytes(&part), level)?))
}

/// Decodes the value of a field within `level` levels.
fn value(kind: Kind, number: u32, wire: Wire<'_>, level: usize) -> Result<Value, String> {
    Ok(match kind {
        Kind::Text => wire.text(number)?.into(),
        Kind::Bytes => BASE64_STANDARD.encode(wire.bytes(number)?).into(),
        Kind::Bool => (wire.varint(number)? != 0).into(),
        Kind::Int => wire.varint(number)?.cast_signed().into(),
        Kind::Int32 => lower_half(wire.varint(number)?).into(),
        Kind::Double => double(f64::from_bits(wire.fixed(number)?), number)?,
        Kind::Json => raw_json(wire.bytes(number)?, level)?,
        Kind::Time => time(wire.bytes(number)?, level, Moment::in_utc)?,
        Kind::MicroTime => time(wire.bytes(number)?, level, Moment::in_utc_with_micros)?,
        Kind::Words => {
            let mut read = message(&WORDS, wire.bytes(number)?, level)?;
            read.remove(WORDS[0].name).unwrap_or_else(|| Value::Array(Vec::new()))
        }
        Kind::Message(table) => message(table, wire.bytes(number)?, level)?.into(),
        Kind::SchemaOrBool(schema) => {
            let mut read = message(&schema_or_bool(schema), wire.bytes(number)?, level)?;
            read.remove("schema").or_else(|| read.remove("allows")).unwrap_or(Value::Bool(false))
        }
        Kind::SchemaOrList(schema) => {
            let mut read = message(&schema_or_list(schema), wire.bytes(number)?, level)?;
            read.remove("list").or_else(|| read.remove("schema")).unwrap_or_default()
        }
        Kind::SchemaOrNames(schema) => {
            let mut read = message(&schema_or_names(schema), wire.bytes(number)?, level)?;
            read.remove("names").or_else(|| read.remove("schema")).unwrap_or_default()
        }
    })
}

/// The number that the lower 32 bits are.
fn lower_half(number: u64) -> i32 {
    #[allow(clippy::cast_possible_truncation, reason = "the format keeps the lower 32 bits")]
    let half = number as u32;
    half.cast_signed()
}

/// Decodes a time; null if no part of it is set.
fn time(bytes: &[u8], level: usize, text: fn(Moment) -> String) -> Result<Value, String> {
    let parts = message(&TIME, bytes, level)?;
    let part = |field: &Field| parts.get(field.name).and_then(Value::as_i64).map_or(0, i128::from);
    let moment = Moment(part(&TIME[0]) * SECOND + part(&TIME[1]));
    Ok(if parts.is_empty() { Value::Null } else { text(moment).into() })
}

fn raw_json(bytes: &[u8], level: usize) -> Result<Value, String> {
    let mut raw: &[u8] = b"";
    fields(bytes, |number, wire| {
        if number == RAW {
            raw = wire.bytes(number)?;
        }
        Ok::<_, String>(())
    })?;
    if level + json::nesting(raw) > MAX_NESTING {
        return Err(too_deep());
    }
    match raw {
        b"" => Ok(Value::Null),
        raw => json::parse(raw).map(|parsed| parsed.value).map_err(|error| format!("json parse error: {error}")),
    }
}

/// A number, without a fraction if it has none, as upstream writes it.
fn double(number: f64, field: u32) -> Result<Value, String> {
    #[allow(clippy::cast_possible_truncation, reason = "the result is compared with the number")]
    let whole = number as i64;
    #[allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "exact or not an integer")]
    if whole as f64 == number && whole != i64::MAX {
        return Ok(whole.into());
    }
    let number = Number::from_f64(number).ok_or_else(|| format!("field {field} is not a number of JSON"))?;
    Ok(number.into())
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn deeper(level: usize) -> Result<usize, String> {
    if level < MAX_NESTING { Ok(level + 1) } else { Err(too_deep()) }
}

fn too_deep() -> String {
    format!("the message is nested more than {MAX_NESTING} levels deep, which is possible only in JSON")
}
