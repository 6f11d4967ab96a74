//! What JSON patches mean: RFC 6902, as far as the properties use it.

use crdible_semantics::pointer;
use serde_json::Value;

use crate::shared::oracle::equal;

/// Applies one operation of a JSON patch (RFC 6902). False if it cannot be applied; the value is then unchanged.
pub(super) fn applied(value: &mut Value, operation: &Value) -> bool {
    let path = operation["path"].as_str().unwrap_or_default();
    let from = operation["from"].as_str().unwrap_or_default();
    match operation["op"].as_str().unwrap_or_default() {
        "add" => added(value, path, operation["value"].clone()),
        "replace" => value.pointer_mut(path).map(|place| *place = operation["value"].clone()).is_some(),
        "remove" => removed(value, path).is_some(),
        // Numbers are equal if their values are (RFC 6902, 4.6).
        "test" => value.pointer(path).is_some_and(|found| equal(found, &operation["value"])),
        "copy" => match value.pointer(from).cloned() {
            Some(copied) => added(value, path, copied),
            None => false,
        },
        "move" => {
            let before = value.clone();
            let is_moved = removed(value, from).is_some_and(|moved| added(value, path, moved));
            if !is_moved {
                *value = before;
            }
            is_moved
        }
        _ => false,
    }
}

/// Adds a value: a member that replaces one with its name, or an element before others.
fn added(value: &mut Value, path: &str, new: Value) -> bool {
    let Some((parent, key)) = pointer::split(path) else { return false };
    match value.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.insert(key.into_owned(), new);
            true
        }
        Some(Value::Array(elements)) => match if key == "-" { Some(elements.len()) } else { key.parse().ok() } {
            Some(at) if at <= elements.len() => {
                elements.insert(at, new);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

fn removed(value: &mut Value, path: &str) -> Option<Value> {
    let (parent, key) = pointer::split(path)?;
    match value.pointer_mut(parent)? {
        Value::Object(fields) => fields.remove(&*key),
        Value::Array(elements) => {
            let at = key.parse().ok().filter(|at| *at < elements.len())?;
            Some(elements.remove(at))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::applied;

    // After the examples of RFC 6902, appendix A; null where it cannot be applied.
    #[rstest]
    #[case(json!({ "f": "b" }), json!({ "op": "add", "path": "/b", "value": 1 }), json!({ "f": "b", "b": 1 }))]
    #[case(json!({ "f": [1, 3] }), json!({ "op": "add", "path": "/f/1", "value": 2 }), json!({ "f": [1, 2, 3] }))]
    #[case(json!({ "f": [1] }), json!({ "op": "add", "path": "/f/-", "value": 2 }), json!({ "f": [1, 2] }))]
    #[case(json!({ "f": [1] }), json!({ "op": "add", "path": "/f/2", "value": 2 }), json!(null))]
    #[case(json!({ "f": 1 }), json!({ "op": "add", "path": "/g/h", "value": 2 }), json!(null))]
    #[case(json!({ "f": [1, 2, 3] }), json!({ "op": "remove", "path": "/f/1" }), json!({ "f": [1, 3] }))]
    #[case(json!({ "f": 1 }), json!({ "op": "remove", "path": "/g" }), json!(null))]
    #[case(json!({ "f": 1 }), json!({ "op": "replace", "path": "/f", "value": 2 }), json!({ "f": 2 }))]
    #[case(json!({ "f": { "w": 1 }, "q": {} }), json!({ "op": "move", "from": "/f/w", "path": "/q/t" }), json!({ "f": {}, "q": { "t": 1 } }))]
    #[case(json!({ "f": [1, 2, 3] }), json!({ "op": "move", "from": "/f/0", "path": "/f/2" }), json!({ "f": [2, 3, 1] }))]
    #[case(json!({ "f": [1] }), json!({ "op": "copy", "from": "/f", "path": "/g" }), json!({ "f": [1], "g": [1] }))]
    #[case(json!({ "a/b": 1 }), json!({ "op": "test", "path": "/a~1b", "value": 1 }), json!({ "a/b": 1 }))]
    #[case(json!({ "a": "1" }), json!({ "op": "test", "path": "/a", "value": 1 }), json!(null))]
    #[case(json!({ "a": [1] }), json!({ "op": "test", "path": "/a", "value": [1.0] }), json!({ "a": [1] }))]
    fn operations(#[case] mut value: Value, #[case] operation: Value, #[case] expected: Value) {
        let before = value.clone();
        let is_applied = applied(&mut value, &operation);
        assert_eq!(is_applied, !expected.is_null());
        assert_eq!(value, if is_applied { expected } else { before });
    }
}
