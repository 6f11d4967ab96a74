//! Reads the models of a document.

use serde_json::{Map, Value};

use super::messages::{Holds, Message, SCHEMA, as_whole};
use crate::wire::protobuf::{Wire, WireError, fields};
use crate::wire::yaml;

/// How deep messages may be nested that are read.
const MAX_NESTING: usize = 1_000;

/// The models of a document in protobuf, as JSON: `swagger` and `definitions`. Protobuf does not write zero values, so
/// they are missing. Returns `None` for anything else.
pub fn decode(bytes: &[u8]) -> Option<Value> {
    let mut document = Map::new();
    let read = fields(bytes, |number, wire| {
        match number {
            1 => drop(document.insert("swagger".to_owned(), wire.text(number)?.into())),
            9 => drop(document.insert("definitions".to_owned(), read_members(wire.bytes(number)?, &SCHEMA, 0)?)),
            _ => {}
        }
        Ok::<_, WireError>(())
    });
    (read.is_ok() && document.contains_key("swagger")).then_some(Value::Object(document))
}

fn read_message(bytes: &[u8], of: &Message, depth: usize) -> Result<Value, WireError> {
    if depth > MAX_NESTING {
        return Err(WireError::InvalidGroup);
    }
    let mut members = Map::new();
    fields(bytes, |number, wire| {
        if number == of.extensions {
            let (name, value) = read_named(wire.bytes(number)?, read_any)?;
            members.insert(name, value);
            return Ok(());
        }
        let Some((name, _, holds)) = of.fields.iter().find(|(_, known, _)| *known == number) else {
            return Ok(());
        };
        let value = read_field(number, wire, holds, name, depth)?;
        if matches!(holds, Holds::Texts | Holds::AnyList | Holds::List(_)) {
            let list = members.entry(*name).or_insert_with(|| Value::Array(Vec::new()));
            list.as_array_mut().into_iter().for_each(|list| list.push(value.clone()));
        } else {
            members.insert((*name).to_owned(), value);
        }
        Ok::<_, WireError>(())
    })?;
    Ok(Value::Object(members))
}

fn read_field(number: u32, wire: Wire<'_>, holds: &Holds, name: &str, depth: usize) -> Result<Value, WireError> {
    Ok(match holds {
        Holds::Text | Holds::Texts => wire.text(number)?.into(),
        Holds::Flag => (wire.varint(number)? != 0).into(),
        Holds::Integer => wire.varint(number)?.cast_signed().into(),
        Holds::Float => read_float(f64::from_bits(wire.fixed(number)?)),
        Holds::Any | Holds::AnyList => read_any(wire.bytes(number)?)?,
        Holds::One(of) | Holds::List(of) => read_message(wire.bytes(number)?, of, depth + 1)?,
        Holds::Members(of) => read_members(wire.bytes(number)?, of, depth + 1)?,
        Holds::Other(_) => read_one_of(wire.bytes(number)?, name, depth)?,
    })
}

/// What is one of several messages: a schema or a flag, a schema, or texts.
fn read_one_of(bytes: &[u8], name: &str, depth: usize) -> Result<Value, WireError> {
    let mut value = Value::Null;
    fields(bytes, |number, wire| {
        value = match (name, wire) {
            ("type", wire) => wire.text(number)?.into(),
            (_, Wire::Varint(flag)) => (flag != 0).into(),
            (_, wire) => read_message(wire.bytes(number)?, &SCHEMA, depth + 1)?,
        };
        Ok::<_, WireError>(())
    })?;
    Ok(value)
}

fn read_members(bytes: &[u8], of: &Message, depth: usize) -> Result<Value, WireError> {
    let mut members = Map::new();
    fields(bytes, |number, wire| {
        let (name, value) = read_named(wire.bytes(number)?, |bytes| read_message(bytes, of, depth + 1))?;
        members.insert(name, value);
        Ok::<_, WireError>(())
    })?;
    Ok(Value::Object(members))
}

/// A name and the value of that name.
fn read_named(bytes: &[u8], read: impl Fn(&[u8]) -> Result<Value, WireError>) -> Result<(String, Value), WireError> {
    let (mut name, mut value) = (String::new(), Value::Null);
    fields(bytes, |number, wire| {
        match number {
            1 => wire.text(number)?.clone_into(&mut name),
            _ => value = read(wire.bytes(number)?)?,
        }
        Ok::<_, WireError>(())
    })?;
    Ok((name, value))
}

/// A value of any type, from YAML.
fn read_any(bytes: &[u8]) -> Result<Value, WireError> {
    let mut value = Value::Null;
    fields(bytes, |number, wire| {
        if number == 2 {
            value = yaml::parse(wire.bytes(number)?).map_err(|_| WireError::InvalidText(number))?.value;
        }
        Ok::<_, WireError>(())
    })?;
    Ok(value)
}

/// A float as JSON writes it: an integer if it has no fraction.
fn read_float(float: f64) -> Value {
    as_whole(&Value::from(float)).map_or_else(|| float.into(), Value::from)
}
