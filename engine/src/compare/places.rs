//! Where two normalised answers differ.

use std::collections::BTreeSet;

use crdible_scenario::expect::equal;
use serde_json::{Map, Value};

/// Where and how two answers differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// `status`, `message`, `warnings`, `group`, `reason`, `ended`, the field of a cause, or a JSON pointer into the body.
    pub path: String,
    /// How, in a word: `missing` and `unexpected` refer to the second target.
    pub kind: String,
}

impl Place {
    fn new(path: impl Into<String>, kind: impl Into<String>) -> Self {
        Self { path: path.into(), kind: kind.into() }
    }

    /// Whether it is a pointer into the body, or the field of a cause: then it holds generated names.
    pub(super) fn is_generated(&self) -> bool {
        self.path.starts_with('/') || self.kind.contains("-cause-")
    }
}

/// At most this many places of one step: more of them add nothing new.
const PLACES: usize = 8;

/// The places at which two normalised answers differ. Codes first: if they differ, the rest follows from that.
pub(super) fn places(first: &Value, second: &Value) -> Vec<Place> {
    let (Some(one), Some(other)) = (first.as_object(), second.as_object()) else {
        return if first == second { Vec::new() } else { vec![Place::new("ended", "one-sided")] };
    };
    if one.get("status") != other.get("status") {
        let code = |answer: &Map<String, Value>| answer.get("status").map_or_else(String::new, Value::to_string);
        return vec![Place::new("status", format!("{}-{}", code(one), code(other)))];
    }
    let mut found: Vec<Place> = ["reason", "message", "warnings", "group"]
        .into_iter()
        .filter(|key| one.get(*key) != other.get(*key))
        .map(|key| Place::new(key, "changed"))
        .collect();
    found.extend(causes(one.get("causes"), other.get("causes")));
    bodies(
        one.get("body").unwrap_or(&Value::Null),
        other.get("body").unwrap_or(&Value::Null),
        &mut String::new(),
        &mut found,
    );
    found.truncate(PLACES);
    found
}

/// The causes that only one of two multisets holds.
fn causes(first: Option<&Value>, second: Option<&Value>) -> Vec<Place> {
    let list = |causes: Option<&Value>| causes.and_then(Value::as_array).cloned().unwrap_or_default();
    let (mut missing, mut unexpected) = (list(first), Vec::new());
    for cause in list(second) {
        match missing.iter().position(|other| *other == cause) {
            Some(at) => drop(missing.remove(at)),
            None => unexpected.push(cause),
        }
    }
    // What has the same field and reason differs in its message.
    let mut others = Vec::new();
    missing.retain(|cause| {
        let same = |other: &Value| ["field", "reason"].iter().all(|key| cause.get(key) == other.get(key));
        let found = unexpected.iter().position(same);
        others.extend(found.map(|at| unexpected.remove(at)));
        found.is_none()
    });
    let place = |cause: &Value, word: &str| {
        let text = |key: &str| cause.get(key).and_then(Value::as_str).unwrap_or("");
        Place::new(text("field"), format!("{word}-cause-{}", text("reason")))
    };
    let others = others.iter().map(|cause| place(cause, "reworded"));
    let missing = missing.iter().map(|cause| place(cause, "missing"));
    missing.chain(others).chain(unexpected.iter().map(|cause| place(cause, "unexpected"))).collect()
}

fn bodies(first: &Value, second: &Value, pointer: &mut String, found: &mut Vec<Place>) {
    let length = pointer.len();
    let mut add = |pointer: &str, kind: &str| {
        found.push(Place::new(if pointer.is_empty() { "/" } else { pointer }, kind));
    };
    match (first, second) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                crdible_semantics::pointer::push(pointer, key);
                match (one.get(key), other.get(key)) {
                    (Some(value), Some(same)) => bodies(value, same, pointer, found),
                    (Some(_), None) => found.push(Place::new(pointer.as_str(), "missing")),
                    _ => found.push(Place::new(pointer.as_str(), "unexpected")),
                }
                pointer.truncate(length);
                if found.len() >= PLACES {
                    return;
                }
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (value, same)) in one.iter().zip(other).enumerate() {
                pointer.push_str(&format!("/{index}"));
                bodies(value, same, pointer, found);
                pointer.truncate(length);
                if found.len() >= PLACES {
                    return;
                }
            }
        }
        (Value::Array(_), Value::Array(_)) => add(pointer, "length"),
        (Value::Number(one), Value::Number(other)) if one.to_string() != other.to_string() => {
            // `1` and `1.0` are one number, but a difference between two servers.
            let kind = if equal(first, second) { "number-form" } else { "changed" };
            add(pointer, kind);
        }
        (Value::Null, Value::Null) => {}
        (Value::Null, _) => add(pointer, "value-instead-of-null"),
        (_, Value::Null) => add(pointer, "null-instead"),
        _ if first == second => {}
        _ => add(pointer, "changed"),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Place, places};

    fn accepted(body: Value) -> Value {
        json!({ "status": 200, "body": body })
    }

    fn refused(causes: Value) -> Value {
        json!({ "status": 422, "reason": "Invalid", "causes": causes })
    }

    #[rstest]
    #[case::equal(accepted(json!({"a": 1, "b": [null]})), accepted(json!({"b": [null], "a": 1})), &[])]
    #[case::code(accepted(json!({"a": 1})), refused(json!([])), &[("status", "200-422")])]
    #[case::two_places(accepted(json!({"a": 1, "b": {"c": 1}})), accepted(json!({"b": {"c": 2}, "d": 1})),
        &[("/a", "missing"), ("/b/c", "changed"), ("/d", "unexpected")])]
    #[case::null(accepted(json!({"a": null})), accepted(json!({})), &[("/a", "missing")])]
    #[case::number(accepted(json!({"a": 1})), accepted(json!({"a": 1.0})), &[("/a", "number-form")])]
    #[case::length(accepted(json!({"a": [1]})), accepted(json!({"a": []})), &[("/a", "length")])]
    #[case::cause(refused(json!([{"field": "a", "reason": "Invalid"}, {"field": "a", "reason": "Invalid"}])),
        refused(json!([{"field": "a", "reason": "Invalid"}, {"field": "b", "reason": "Required"}])),
        &[("a", "missing-cause-Invalid"), ("b", "unexpected-cause-Required")])]
    #[case::message(json!({"status": 400, "message": "x"}), json!({"status": 400, "message": "y"}), &[("message", "changed")])]
    #[case::message_of_a_cause(
        refused(json!([{"field": "a", "reason": "R", "message": "x"}, {"field": "b", "reason": "R", "message": "x"}])),
        refused(json!([{"field": "b", "reason": "R", "message": "y"}, {"field": "a", "reason": "R", "message": "x"}])),
        &[("b", "reworded-cause-R")]
    )]
    #[case::warnings(json!({"status": 200, "warnings": ["x"]}), json!({"status": 200}), &[("warnings", "changed")])]
    fn places_of_differences(#[case] first: Value, #[case] second: Value, #[case] expected: &[(&str, &str)]) {
        let place = |(path, kind): &(&str, &str)| Place::new(*path, *kind);
        assert_eq!(places(&first, &second), expected.iter().map(place).collect::<Vec<_>>());
    }
}
