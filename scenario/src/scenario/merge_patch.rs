//! RFC 7386.

use serde_json::{Value, json};

/// Applies a merge patch.
pub fn merged(value: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *value = patch.clone();
        return;
    };
    if !value.is_object() {
        *value = json!({});
    }
    let Value::Object(fields) = value else { return };
    for (key, patch) in patch {
        if patch.is_null() {
            fields.remove(key);
        } else {
            merged(fields.entry(key.clone()).or_insert(Value::Null), patch);
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::merged;

    // The examples of RFC 7386, appendix A.
    #[rstest]
    #[case(json!({ "a": "b" }), json!({ "a": "c" }), json!({ "a": "c" }))]
    #[case(json!({ "a": "b", "b": "c" }), json!({ "a": null }), json!({ "b": "c" }))]
    #[case(json!({ "a": ["b"] }), json!({ "a": "c" }), json!({ "a": "c" }))]
    #[case(json!({ "a": { "b": "c" } }), json!({ "a": { "b": "d", "c": null } }), json!({ "a": { "b": "d" } }))]
    #[case(json!({ "a": [{ "b": "c" }] }), json!({ "a": [1] }), json!({ "a": [1] }))]
    #[case(json!({}), json!({ "a": { "bb": { "ccc": null } } }), json!({ "a": { "bb": {} } }))]
    fn merges(#[case] mut value: Value, #[case] patch: Value, #[case] expected: Value) {
        merged(&mut value, &patch);
        assert_eq!(value, expected);
    }
}
