//! What counts as nothing.

use crate::shared::prelude::*;

/// Whether a field holds nothing: it is absent, or null, or its parent is absent (FSEL-006).
pub(in super::super::super) fn is_nothing(value: Option<&Value>) -> bool {
    value.is_none_or(Value::is_null)
}

/// Labels or annotations as watches and lists show them: those that are missing or null are none (REST-062).
pub(in super::super::super) fn or_none(labels: Option<&Value>) -> Value {
    labels.filter(|labels| !labels.is_null()).cloned().unwrap_or_else(|| json!({}))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{is_nothing, or_none};

    /// The sentence of FSEL-006. An empty text is a text.
    #[rstest]
    #[case::absent(None, true)]
    #[case::null(Some(json!(null)), true)]
    #[case::empty_text(Some(json!("")), false)]
    #[case::zero(Some(json!(0)), false)]
    #[case::no(Some(json!(false)), false)]
    #[case::empty_object(Some(json!({})), false)]
    fn nothing(#[case] value: Option<Value>, #[case] expected: bool) {
        assert_eq!(is_nothing(value.as_ref()), expected);
    }

    #[rstest]
    #[case::absent(None, json!({}))]
    #[case::null(Some(json!(null)), json!({}))]
    #[case::empty(Some(json!({})), json!({}))]
    #[case::one(Some(json!({ "a": "" })), json!({ "a": "" }))]
    fn labels_are_none(#[case] labels: Option<Value>, #[case] expected: Value) {
        assert_eq!(or_none(labels.as_ref()), expected);
    }
}
