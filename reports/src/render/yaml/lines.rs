//! Where the parts of a value are in its YAML.

use std::ops::Range;

use serde_json::Value;

use super::yaml;

/// The lines of the value at this pointer, with its key, in the YAML of a document.
pub(in crate::render) fn lines_of(document: &Value, pointer: &[String]) -> Option<Range<usize>> {
    let Some((key, above)) = pointer.split_last() else { return Some(0..yaml(document).lines().count()) };
    let first = first_line(document, pointer)?;
    let value = at(document, pointer)?;
    let in_list = at(document, above).is_some_and(Value::is_array);
    let count = if in_list { item_lines(value) } else { entry_lines(key, value) };
    Some(first..first + count)
}

/// The line at which the value at this pointer begins.
fn first_line(document: &Value, pointer: &[String]) -> Option<usize> {
    let (mut value, mut line) = (document, 0);
    for (depth, key) in pointer.iter().enumerate() {
        match value {
            Value::Object(entries) => {
                line += entries
                    .iter()
                    .take_while(|(name, _)| *name != key)
                    .map(|(name, field)| entry_lines(name, field))
                    .sum::<usize>();
                // What is below the key begins on the next line.
                line += usize::from(depth + 1 < pointer.len());
            }
            Value::Array(items) => {
                line += items.iter().take(key.parse().ok()?).map(item_lines).sum::<usize>();
            }
            _ => return None,
        }
        value = child(value, key)?;
    }
    Some(line)
}

/// How many lines a key and its value take.
fn entry_lines(key: &str, value: &Value) -> usize {
    let alone = Value::Object([(key.to_owned(), value.clone())].into_iter().collect());
    yaml(&alone).lines().count()
}

/// How many lines an element of a list takes.
fn item_lines(value: &Value) -> usize {
    yaml(&Value::Array(vec![value.clone()])).lines().count()
}

/// The field or element with this key.
pub(in crate::render) fn child<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    match value {
        Value::Object(entries) => entries.get(key),
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The value at a pointer, given by its segments.
pub(in crate::render) fn at<'a>(document: &'a Value, pointer: &[String]) -> Option<&'a Value> {
    pointer.iter().try_fold(document, |value, key| child(value, key))
}
