//! Sets of fields in the format of `fieldsV1`: an object for each step, and a dot in a member that has children.

use serde_json::{Map, Value};

use super::element::Element;
use super::malformed::Malformed;
use super::set::{FieldSet, Pair};

/// The key in a step that has children and is a member itself.
const SELF: &str = ".";

/// Writes a set.
pub(crate) fn write(set: &FieldSet) -> Value {
    Value::Object(members(set, false))
}

fn members(set: &FieldSet, is_member: bool) -> Map<String, Value> {
    let steps = set.steps().map(|pair| match pair {
        Pair::Left(member) => (member.to_text(), Map::new()),
        Pair::Right((step, child)) => (step.to_text(), members(child, false)),
        Pair::Both(_, (step, child)) => (step.to_text(), members(child, true)),
    });
    let mut written: Map<String, Value> = steps.map(|(step, below)| (step, Value::Object(below))).collect();
    if is_member && !written.is_empty() {
        written.insert(SELF.to_owned(), Value::Object(Map::new()));
    }
    written
}

/// Parses a set; null is the empty set.
pub(crate) fn read(json: &Value) -> Result<FieldSet, Malformed> {
    Ok(below(json)?.0.unwrap_or_default())
}

/// Parses what is below a step. Returns it, if it is not empty, and whether the step itself is a member, which it is if
/// nothing is below it.
fn below(json: &Value) -> Result<(Option<FieldSet>, bool), Malformed> {
    let members = match json {
        Value::Object(members) => members,
        Value::Null => return Ok((None, true)),
        _ => return Err(Malformed),
    };
    let mut found: Option<FieldSet> = None;
    let mut is_member = false;
    for (key, value) in members {
        if key == SELF {
            is_member = true;
            continue;
        }
        let Some(step) = Element::parse(key)? else { continue };
        let (children, child_is_member) = self::below(value)?;
        if child_is_member {
            found.get_or_insert_default().add_member(step.clone());
        }
        if let Some(children) = children {
            found.get_or_insert_default().set_child(step, children);
        }
    }
    let is_member = is_member || found.is_none();
    Ok((found, is_member))
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!({}))]
    #[case(json!({"f:spec": {".": {}, "f:a": {}, "f:l": {"k:{\"n\":\"x\"}": {".": {}, "f:n": {}}, "v:1": {}, "i:0": {}}}}))]
    fn rest_041_sets_round_trip(#[case] json: Value) {
        assert_eq!(write(&read(&json).unwrap()), json);
    }

    #[rstest]
    #[case::null(json!(null), json!({}))]
    #[case::dot_alone(json!({"f:a": {".": 5}}), json!({"f:a": {}}))]
    #[case::null_below(json!({"f:a": null}), json!({"f:a": {}}))]
    #[case::dot_at_the_root(json!({".": {}, "f:a": {}}), json!({"f:a": {}}))]
    #[case::unknown_step(json!({"z:a": 5, "f:b": {}}), json!({"f:b": {}}))]
    fn other_notations_are_accepted(#[case] json: Value, #[case] expected: Value) {
        assert_eq!(write(&read(&json).unwrap()), expected);
    }

    #[rstest]
    #[case(json!("f:a"))]
    #[case(json!([]))]
    #[case(json!({"f:a": 5}))]
    #[case(json!({"fa": {}}))]
    #[case(json!({"v:": {}}))]
    fn rest_041_invalid_sets_are_rejected(#[case] json: Value) {
        assert!(read(&json).is_err());
    }
}
