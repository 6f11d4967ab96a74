//! Reading messages into the JSON that means the same.
//!
//! As other decoders do: fields may come in any order, the last value of a scalar counts, messages that are repeated
//! where one is expected are merged, and fields that a type does not have are dropped.
//!
//! Fields of Go structs that are no pointers are always encoded, so their zero values count as unset.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Number, Value};

use super::message::{Occurs, RAW, may_be_flag, occurs};
use super::wire::{Wire, fields};
use crate::kinds::{Content, Element, Type};
use crate::wire::go_time::{Moment, SECOND};
use crate::wire::json;

/// How deep the JSON may be that a message is decoded into. Schemas are recursive, and bodies in protobuf are read on a
/// stack of the usual size.
const MAX_NESTING: usize = 100;

/// Decodes a message.
pub(super) fn read(of: &Type, bytes: &[u8]) -> Result<Value, String> {
    message(of, bytes, 0).map(Value::Object)
}

/// Decodes a message within `outer` levels.
fn message(of: &Type, bytes: &[u8], outer: usize) -> Result<Map<String, Value>, String> {
    let level = deeper(outer)?;
    let mut members = Map::new();
    // Messages are merged by decoding them one after the other.
    let mut parts: BTreeMap<u32, Cow<'_, [u8]>> = BTreeMap::new();
    fields(bytes, |number, wire| {
        let Some(field) = of.fields().find(|field| field.number == number) else { return Ok(()) };
        match occurs(field) {
            // Their values have parts.
            Occurs::Once | Occurs::Optionally if matches!(field.element, Element::Of(_)) => {
                let part = wire.bytes(number)?;
                parts.entry(number).and_modify(|all| all.to_mut().extend(part)).or_insert(Cow::Borrowed(part));
            }
            Occurs::Once | Occurs::Optionally => {
                members.insert(field.name.into(), value(field.element, number, wire, level)?);
            }
            Occurs::Many => {
                let item = value(field.element, number, wire, deeper(level)?)?;
                match members.get_mut(field.name).and_then(Value::as_array_mut) {
                    Some(items) => items.push(item),
                    None => drop(members.insert(field.name.into(), vec![item].into())),
                }
            }
            Occurs::ByKey => {
                let (key, item) = entry(field.element, wire.bytes(number)?, deeper(level)?)?;
                match members.get_mut(field.name).and_then(Value::as_object_mut) {
                    Some(items) => drop(items.insert(key, item)),
                    None => drop(members.insert(field.name.into(), Map::from_iter([(key, item)]).into())),
                }
            }
        }
        Ok::<_, String>(())
    })?;
    for field in of.fields() {
        if let Some(part) = parts.get(&field.number) {
            members.insert(field.name.into(), value(field.element, field.number, Wire::Bytes(part), level)?);
        }
        let is_unset = |value: &Value| match field.element {
            // There is no time that is null, even where it is optional.
            Element::Of(Type { content: Content::Time | Content::MicroTime, .. }) => value.is_null(),
            _ => occurs(field) == Occurs::Once && is_zero(value),
        };
        if members.get(field.name).is_some_and(is_unset) {
            members.remove(field.name);
        }
    }
    Ok(members)
}

/// The key and the value of an entry of a map; each may be missing.
fn entry(element: Element, bytes: &[u8], level: usize) -> Result<(String, Value), String> {
    let (mut key, mut part) = (String::new(), Vec::new());
    fields(bytes, |number, wire| {
        match number {
            1 => wire.text(number)?.clone_into(&mut key),
            2 if matches!(element, Element::Of(_)) => part.extend(wire.bytes(number)?),
            2 => wire.bytes(number)?.clone_into(&mut part),
            _ => {}
        }
        Ok::<_, String>(())
    })?;
    Ok((key, value(element, 2, Wire::Bytes(&part), level)?))
}

/// Decodes the value of a field within `level` levels.
fn value(element: Element, number: u32, wire: Wire<'_>, level: usize) -> Result<Value, String> {
    Ok(match element {
        Element::Text => wire.text(number)?.into(),
        Element::Bytes => BASE64_STANDARD.encode(wire.bytes(number)?).into(),
        Element::Flag => (wire.varint(number)? != 0).into(),
        Element::Int32 => lower_half(wire.varint(number)?).into(),
        Element::Int64 => wire.varint(number)?.cast_signed().into(),
        Element::Double => double(f64::from_bits(wire.fixed(number)?), number)?,
        Element::Of(of) => typed(of, wire.bytes(number)?, level)?,
    })
}

/// Decodes a value that is a message.
fn typed(of: &Type, bytes: &[u8], level: usize) -> Result<Value, String> {
    if let Content::Json(_) = of.content {
        return raw_json(bytes, level);
    }
    let members = message(of, bytes, level)?;
    // Of two alternatives, the second one counts if both are set.
    let last = |mut members: Map<String, Value>| of.fields().rev().find_map(|field| members.remove(field.name));
    Ok(match of.content {
        Content::Time => time(&members, Moment::in_utc),
        Content::MicroTime => time(&members, Moment::in_utc_with_micros),
        Content::Words => last(members).unwrap_or_else(|| Value::Array(Vec::new())),
        Content::Either if may_be_flag(of) => last(members).unwrap_or(Value::Bool(false)),
        Content::Either => last(members).unwrap_or_default(),
        _ => members.into(),
    })
}

/// The number that the lower 32 bits are.
fn lower_half(number: u64) -> i32 {
    #[allow(clippy::cast_possible_truncation, reason = "the format keeps the lower 32 bits")]
    let half = number as u32;
    half.cast_signed()
}

/// A time; null if no part of it is set.
fn time(parts: &Map<String, Value>, text: fn(Moment) -> String) -> Value {
    let part = |name: &str| parts.get(name).and_then(Value::as_i64).map_or(0, i128::from);
    if parts.is_empty() { Value::Null } else { text(Moment(part("seconds") * SECOND + part("nanos"))).into() }
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

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::super::decode;
    use super::*;
    use crate::kinds::{DEFINITION, Field};

    fn definition(raw: &[u8]) -> Result<Value, String> {
        read(DEFINITION.object, raw)
    }

    /// A field with a length.
    fn part(number: u8, content: impl AsRef<[u8]>) -> Vec<u8> {
        let content = content.as_ref();
        let mut bytes = varint(usize::from(number) << 3 | 2);
        bytes.extend(varint(content.len()));
        bytes.extend(content);
        bytes
    }

    fn varint(mut number: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(u8::try_from(number & 0x7f).expect("seven bits") | 0x80);
            number >>= 7;
        }
        bytes.push(u8::try_from(number).expect("seven bits"));
        bytes
    }

    /// A definition with one version, which has this schema.
    fn of_schema(schema: &[u8]) -> Vec<u8> {
        part(2, part(7, part(4, part(1, schema))))
    }

    fn schema(schema: &[u8]) -> Result<Value, String> {
        let definition = definition(&of_schema(schema))?;
        Ok(definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone())
    }

    /// Every field, as upstream encodes it.
    #[test]
    fn rest_080_every_field_is_decoded() {
        let expected: Value = serde_json::from_str(include_str!("examples/definition.json")).expect("JSON");
        let bytes = include_bytes!("examples/definition.pb");
        let read = decode(bytes, DEFINITION.object, DEFINITION.kind).expect("a definition");
        assert_eq!(read, expected);
        for path in [
            "/spec",
            "/spec/versions/0",
            "/spec/versions/0/schema/openAPIV3Schema",
            "/spec/versions/0/schema/openAPIV3Schema/x-kubernetes-validations/0",
            "/status",
            "/status/conditions/0",
        ] {
            let example = expected.pointer(path).expect("a value");
            let names = path.split('/').filter(|name| !matches!(*name, "" | "0"));
            let of = names.fold(DEFINITION.object, |of, name| {
                of.fields().find(|field| field.name == name).and_then(Field::target).expect("a message")
            });
            let missing: Vec<_> =
                of.fields().map(|field| field.name).filter(|name| example.get(name).is_none()).collect();
            assert!(missing.is_empty(), "not in the example: {missing:?}");
        }
    }

    #[test]
    fn rest_080_zero_values_are_unset_unless_the_field_is_optional() {
        // Description, minLength, uniqueItems, x-kubernetes-preserve-unknown-fields.
        let zeros = [part(4, ""), vec![14 << 3, 0], vec![0x90, 1, 0], vec![0xb0, 2, 0]].concat();
        let expected = json!({"minLength": 0, "x-kubernetes-preserve-unknown-fields": false});
        assert_eq!(schema(&zeros), Ok(expected));
        assert_eq!(definition(&part(2, part(1, ""))), Ok(json!({"spec": {}})));
        assert_eq!(definition(b""), Ok(json!({})));
    }

    #[rstest]
    #[case::unknown_fields(&[&[0xf8, 7, 1], &*part(5, "string")].concat(), json!({"type": "string"}))]
    #[case::last_scalar([part(5, "string"), part(5, "integer")].concat(), json!({"type": "integer"}))]
    #[case::merged_messages([part(28, part(5, "a")), part(28, part(4, "b"))].concat(), json!({"not": {"type": "a", "description": "b"}}))]
    #[case::last_entry(
        [part(29, [part(1, "k"), part(2, part(5, "a"))].concat()), part(29, part(1, "k"))].concat(),
        json!({"properties": {"k": {}}}),
    )]
    #[case::entry_without_a_key(part(29, part(2, part(5, "a"))), json!({"properties": {"": {"type": "a"}}}))]
    #[case::no_json(part(8, ""), json!({"default": null}))]
    #[case::null(part(8, part(1, "null")), json!({"default": null}))]
    #[case::no_alternative(part(30, ""), json!({"additionalProperties": false}))]
    #[case::both_alternatives(part(30, [vec![8, 1], part(2, part(5, "a"))].concat()), json!({"additionalProperties": {"type": "a"}}))]
    #[case::large_integer(part(28, [&[11 << 3 | 1][..], &1e20_f64.to_le_bytes()].concat()), json!({"not": {"minimum": 1e20}}))]
    #[case::negative([&[13 << 3][..], &[0xff; 9], &[1]].concat(), json!({"maxLength": -1}))]
    fn rest_080_forms_of_the_wire(#[case] bytes: impl AsRef<[u8]>, #[case] expected: Value) {
        assert_eq!(schema(bytes.as_ref()), Ok(expected));
    }

    #[rstest]
    #[case::truncated(vec![0x2a, 5, b'a'], "unexpected EOF")]
    #[case::huge_length([vec![0x2a], vec![0xff; 9], vec![1]].concat(), "unexpected EOF")]
    #[case::huge_length_of_a_message([vec![0xe2, 1], vec![0xff; 4], vec![7]].concat(), "unexpected EOF")]
    #[case::number_as_text(vec![5 << 3, 1], "another type")]
    #[case::number_as_message(vec![0xe0, 1, 1], "another type")]
    #[case::varint_as_double(vec![9 << 3, 1], "another type")]
    #[case::packed_numbers(part(13, [1, 2]), "another type")]
    #[case::group(vec![0xe3, 1, 0xe4, 1], "another type")]
    #[case::open_group(vec![0xe3, 1], "unexpected EOF")]
    #[case::not_utf8(part(5, [0xff]), "UTF-8")]
    #[case::no_json(part(8, part(1, "{")), "json parse error")]
    #[case::no_number([&[9 << 3 | 1][..], &f64::NAN.to_le_bytes()].concat(), "not a number")]
    fn rest_080_invalid_bytes_are_refused(#[case] bytes: Vec<u8>, #[case] expected: &str) {
        let error = schema(&bytes).expect_err("a refusal");
        assert!(error.contains(expected), "{error}");
    }

    fn nested(levels: usize, inner: &[u8]) -> Vec<u8> {
        (0..levels).fold(inner.to_vec(), |inner, _| part(28, inner))
    }

    /// The JSON has six levels around the schema.
    #[test]
    fn rest_080_messages_may_be_nested_only_so_deep() {
        assert!(schema(&nested(93, b"")).is_ok());
        assert!(schema(&nested(95, b"")).is_err_and(|error| error.contains("100 levels")));
        assert!(schema(&nested(100_000, b"")).is_err_and(|error| error.contains("100 levels")));
        let lists = |levels| part(8, part(1, "[".repeat(levels) + &"]".repeat(levels)));
        assert!(schema(&nested(43, &lists(50))).is_ok());
        assert!(schema(&nested(45, &lists(50))).is_err_and(|error| error.contains("100 levels")));
    }

    proptest::proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..64)) {
            let _ = definition(&bytes);
            let _ = schema(&bytes);
        }
    }
}
