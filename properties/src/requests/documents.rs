//! Any JSON in an object, and the places in it.

use crate::prelude::*;

/// Names that are written otherwise in a JSON pointer, or look like an index.
const NAMES: [&str; 7] = ["a", "b", "c", "x/y", "t~u", "0", "~1"];

/// A schema whose `spec` keeps any JSON.
pub(super) fn schema() -> Value {
    root_of(json!({ "type": "object", PRESERVE: true }))
}

/// Any small JSON value but null.
pub(super) fn any(choices: &mut Choices) -> Value {
    value(choices, 2)
}

fn value(choices: &mut Choices, depth: u64) -> Value {
    match choices.draw(if depth == 0 { 2 } else { 4 }) {
        0 => json!(choices.draw(3)),
        1 => json!(*choices.pick(&["", "x", "1", "~"])),
        2 => json!(choices.draw(1) == 0),
        3 => {
            let entries = choices.many_average("entry", 0, 4, 2, |choices, _| {
                ((*choices.pick(&NAMES)).to_owned(), value(choices, depth - 1))
            });
            Value::Object(Map::from_iter(entries))
        }
        _ => Value::Array(choices.many_average("element", 0, 4, 2, |choices, _| value(choices, depth - 1))),
    }
}

/// The pointers of a value and of all in it, the outer ones first.
pub(super) fn places(document: &Value, root: &str) -> Vec<String> {
    let mut places = vec![root.to_owned()];
    match document.pointer(root) {
        Some(Value::Object(fields)) => {
            places.extend(fields.keys().flat_map(|key| self::places(document, &pointer::join(root, key))));
        }
        Some(Value::Array(elements)) => {
            places.extend((0..elements.len()).flat_map(|at| self::places(document, &format!("{root}/{at}"))));
        }
        _ => {}
    }
    places
}

/// A place at or below `root` to which something can be added: a name in an object, present or not, or an index of a
/// list, also behind its last.
pub(super) fn free_place(choices: &mut Choices, document: &Value, root: &str) -> String {
    let is_container =
        |place: &String| document.pointer(place).is_some_and(|value| value.is_object() || value.is_array());
    let containers: Vec<String> = places(document, root).into_iter().filter(is_container).collect();
    if containers.is_empty() {
        return root.to_owned();
    }
    let container = choices.pick(&containers).clone();
    match document.pointer(&container) {
        Some(Value::Array(elements)) => {
            let length = u64::try_from(elements.len()).unwrap_or(0);
            match choices.draw(length + 1) {
                at if at > length => format!("{container}/-"),
                at => format!("{container}/{at}"),
            }
        }
        _ => {
            let name: &str = choices.pick::<&str>(&NAMES);
            pointer::join(&container, name)
        }
    }
}
