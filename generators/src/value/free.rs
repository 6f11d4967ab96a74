//! JSON without a schema.

use serde_json::{Map, Value};

use crate::{choice::Choices, names, number, text};

/// Draws any JSON, at most `depth` levels of lists and objects deep.
///
/// Integers are within int64; other numbers are never integral, so that they read back as written (VALUE-005); strings
/// have characters of one to four bytes; keys are ones that careless programs mistake for something else (`metadata`,
/// `items`, `$ref`, `__proto__`, the empty key, keys with dots, slashes and tildes).
pub fn json(c: &mut Choices, depth: usize) -> Value {
    let deep = if depth == 0 { 0 } else { 3 };
    c.span("json", |c| match c.keyed("@kind", |c| c.weighted(&[2, 3, 2, 4, 1, deep, deep])) {
        0 => Value::Null,
        1 => Value::from(number::integer(c, i64::MIN, i64::MAX)),
        2 => Value::Bool(c.draw(1) == 1),
        3 => Value::String(text::text(c, 0, 16)),
        4 => number::fraction(c),
        5 => Value::Array(c.many_parts("free element", 0, 4, |c, _| json(c, depth - 1))),
        _ => {
            let mut object = Map::new();
            c.many_parts("free entry", 0, 4, |c, _| {
                let name = c.free_name(names::FREE_KEYS, |name| object.contains_key(name));
                let value = json(c, depth - 1);
                object.extend(name.map(|name| (name.to_owned(), value)));
            });
            Value::Object(object)
        }
    })
}

/// Draws any JSON except null.
pub(super) fn no_null(c: &mut Choices, depth: usize) -> Value {
    match json(c, depth) {
        Value::Null => Value::Bool(false),
        value => value,
    }
}
