//! Messages that are described by a table, and decoded into the JSON that means the same.
//!
//! Fields of Go structs that are no pointers are always encoded, so their zero values count as unset. What is no field of a
//! table is dropped, as upstream does.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Number, Value};

use super::wire::{Wire, WireError, fields};
use crate::json;

/// How deep the JSON may be that a message is decoded into. Schemas are recursive, and whoever reads a body in protobuf has
/// a usual stack.
const MAX_NESTING: usize = 100;

/// A field of a message: its number and its name in JSON.
pub(super) struct Field {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) count: Count,
    pub(super) kind: Kind,
}

/// How often a field occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// Once. The zero value counts as unset.
    One,
    /// Once, or not at all. The zero value counts.
    Optional,
    Many,
    /// Once for each key.
    Map,
}

/// The type of a field.
pub(super) enum Kind {
    Text,
    /// Base64 in JSON.
    Bytes,
    Bool,
    Int,
    Double,
    /// A message with JSON in it.
    Json,
    Message(&'static [Field]),
    /// A schema or a boolean: whether more is allowed.
    SchemaOrBool(&'static [Field]),
    /// A schema or a list of them.
    SchemaOrList(&'static [Field]),
    /// A schema or a list of names.
    SchemaOrNames(&'static [Field]),
    /// A message that is decoded elsewhere, and is never deep.
    Other(fn(&[u8]) -> Result<Value, String>),
}

impl Kind {
    /// Whether its values have parts: if there is more than one where one is expected, they are merged.
    fn is_message(&self) -> bool {
        !matches!(self, Self::Text | Self::Bytes | Self::Bool | Self::Int | Self::Double)
    }
}

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
                members.insert(field.name.into(), value(&field.kind, number, wire, level)?);
            }
            Count::Many => {
                let item = value(&field.kind, number, wire, deeper(level)?)?;
                match members.get_mut(field.name).and_then(Value::as_array_mut) {
                    Some(items) => items.push(item),
                    None => drop(members.insert(field.name.into(), vec![item].into())),
                }
            }
            Count::Map => {
                let (key, item) = entry(&field.kind, wire.bytes(number)?, deeper(level)?)?;
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
            members.insert(field.name.into(), value(&field.kind, field.number, Wire::Bytes(part), level)?);
        }
        if field.count == Count::One && members.get(field.name).is_some_and(is_zero) {
            members.remove(field.name);
        }
    }
    Ok(members)
}

/// The key and the value of an entry of a map; each may be missing.
fn entry(kind: &Kind, bytes: &[u8], level: usize) -> Result<(String, Value), String> {
    let (mut key, mut part) = (String::new(), Vec::new());
    fields(bytes, |number, wire| {
        match number {
            1 => utf8(number, wire)?.clone_into(&mut key),
            2 => part.extend(wire.bytes(number)?),
            _ => {}
        }
        Ok::<_, String>(())
    })?;
    Ok((key, value(kind, 2, Wire::Bytes(&part), level)?))
}

/// Decodes the value of a field within `level` levels.
fn value(kind: &Kind, number: u32, wire: Wire<'_>, level: usize) -> Result<Value, String> {
    Ok(match kind {
        Kind::Text => utf8(number, wire)?.into(),
        Kind::Bytes => BASE64_STANDARD.encode(wire.bytes(number)?).into(),
        Kind::Bool => (wire.varint(number)? != 0).into(),
        Kind::Int => wire.varint(number)?.cast_signed().into(),
        Kind::Double => double(f64::from_bits(wire.fixed(number)?), number)?,
        Kind::Json => raw_json(wire.bytes(number)?, level)?,
        Kind::Message(table) => message(table, wire.bytes(number)?, level)?.into(),
        Kind::Other(read) => read(wire.bytes(number)?)?,
        Kind::SchemaOrBool(schema) => {
            let alternatives =
                [(1, "allows", Count::Optional, Kind::Bool), (2, "schema", Count::Optional, Kind::Message(schema))];
            let mut read = either(alternatives, wire.bytes(number)?, level)?;
            read.remove("schema").or_else(|| read.remove("allows")).unwrap_or(Value::Bool(false))
        }
        Kind::SchemaOrList(schema) => {
            let alternatives = [
                (1, "schema", Count::Optional, Kind::Message(schema)),
                (2, "list", Count::Many, Kind::Message(schema)),
            ];
            let mut read = either(alternatives, wire.bytes(number)?, level)?;
            read.remove("list").or_else(|| read.remove("schema")).unwrap_or_default()
        }
        Kind::SchemaOrNames(schema) => {
            let alternatives =
                [(1, "schema", Count::Optional, Kind::Message(schema)), (2, "names", Count::Many, Kind::Text)];
            let mut read = either(alternatives, wire.bytes(number)?, level)?;
            read.remove("names").or_else(|| read.remove("schema")).unwrap_or_default()
        }
    })
}

/// Decodes a message with two fields, one of which is the value in JSON.
fn either(
    alternatives: [(u32, &'static str, Count, Kind); 2],
    bytes: &[u8],
    level: usize,
) -> Result<Map<String, Value>, String> {
    let table = alternatives.map(|(number, name, count, kind)| Field { number, name, count, kind });
    message(&table, bytes, level)
}

fn raw_json(bytes: &[u8], level: usize) -> Result<Value, String> {
    let mut raw: &[u8] = b"";
    fields(bytes, |number, wire| {
        if number == 1 {
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

fn utf8(field: u32, wire: Wire<'_>) -> Result<&str, String> {
    std::str::from_utf8(wire.bytes(field)?).map_err(|_| WireError::InvalidText(field).into())
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
