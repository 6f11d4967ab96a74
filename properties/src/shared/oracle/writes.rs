//! Whether a write changes what is stored, and what follows for its answer.

use serde_json::Number;

use super::{
    equality::equal,
    numbers::{is_float_of_an_integer, is_negative_zero, kept},
};
use crate::shared::prelude::*;

/// What a write does to what is stored. Of several parts that one write sets, the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super::super) enum Change {
    /// Nothing: no new resourceVersion, no new generation, and no event (REST-040, REST-067).
    Nothing,
    /// The same values, but `1.0` where `1` is stored. kube-apiserver counts it as a change each time, which is a quirk
    /// (VALUE-005, SUB-009): nothing may be required or forbidden.
    Open,
    /// Something: a new resourceVersion and an event (INV-067), and a new generation if it is content (SUB-009).
    Something,
}

/// What storing `after` in place of `before` does. Both are the whole part that is compared, without what is pruned or
/// dropped: a null and a missing key are different. `before` is as it is [`stored`], and `after` has what a write sends
/// as it is sent.
pub(in super::super::super) fn change(before: &Value, after: &Value) -> Change {
    if !equal(before, after) {
        Change::Something
    } else if has_number(after, is_float_of_an_integer) || has_number(before, is_negative_zero) {
        Change::Open
    } else {
        Change::Nothing
    }
}

/// What is stored of a value: its numbers as they are kept (VALUE-005). A negative zero stays one, since it may be
/// stored with its sign.
pub(in super::super::super) fn stored(value: &Value) -> Value {
    match value {
        Value::Number(number) if is_negative_zero(number) => value.clone(),
        Value::Number(number) => Value::Number(kept(number)),
        Value::Array(elements) => elements.iter().map(stored).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), stored(value))).collect(),
        other => other.clone(),
    }
}

fn has_number(value: &Value, is: fn(&Number) -> bool) -> bool {
    match value {
        Value::Number(number) => is(number),
        Value::Array(elements) => elements.iter().any(|element| has_number(element, is)),
        Value::Object(fields) => fields.values().any(|field| has_number(field, is)),
        _ => false,
    }
}

impl Change {
    /// The resourceVersion after the write, compared with that of an earlier answer (REST-040, INV-067).
    pub(in super::super::super) fn revision(self, before: StepId) -> Option<Expectation> {
        match self {
            Self::Nothing => Some(Expectation::same_revision(before)),
            Self::Open => None,
            Self::Something => Some(NamedCheck::OtherRevision.against(before)),
        }
    }

    /// The generation after a write that changes the content like this, compared with that of an earlier answer
    /// (SUB-009, INV-066).
    pub(in super::super::super) fn generation(self, before: StepId) -> Option<Expectation> {
        match self {
            Self::Nothing => Some(Expectation::same_generation(before)),
            Self::Open => None,
            Self::Something => Some(NamedCheck::NextGeneration.against(before)),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Change, change, stored};

    /// The sentences of SUB-009, REST-040, INV-066 and VALUE-005.
    #[rstest]
    #[case::the_same("1", "1", Change::Nothing)]
    #[case::a_float_over_an_integer("1", "1.0", Change::Open)]
    #[case::an_integer_over_what_was_sent_as_a_float("1.0", "1", Change::Nothing)]
    #[case::a_float_over_what_was_sent_as_a_float("1.0", "1.0", Change::Open)]
    #[case::an_exponent("1000", "1e3", Change::Open)]
    #[case::a_negative_zero("0", "-0.0", Change::Open)]
    #[case::what_was_sent_as_a_negative_zero("-0.0", "0", Change::Open)]
    #[case::another_number("1", "2.0", Change::Something)]
    #[case::a_large_float_again("1e18", "1e18", Change::Open)]
    #[case::a_float_beyond_int64_again("1e19", "1e19", Change::Nothing)]
    #[case::a_fraction_again("0.5", "0.5", Change::Nothing)]
    #[case::a_fraction_otherwise_written("0.5", "5e-1", Change::Nothing)]
    #[case::large_integers("9007199254740992", "9007199254740993", Change::Something)]
    #[case::order_of_keys(r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#, Change::Nothing)]
    #[case::order_of_a_list("[1, 2]", "[2, 1]", Change::Something)]
    #[case::text_over_a_number("1", r#""1""#, Change::Something)]
    #[case::null_over_nothing("{}", r#"{"a": null}"#, Change::Something)]
    #[case::an_empty_object_over_nothing("{}", r#"{"a": {}}"#, Change::Something)]
    #[case::a_float_beside_a_change(r#"{"a": 1, "b": 1}"#, r#"{"a": 1.0, "b": 2}"#, Change::Something)]
    #[case::a_float_deep_inside(r#"{"a": [{"b": 1}]}"#, r#"{"a": [{"b": 1.0}]}"#, Change::Open)]
    fn what_changes(#[case] before: &str, #[case] after: &str, #[case] expected: Change) {
        let [before, after]: [Value; 2] = [before, after].map(|text| serde_json::from_str(text).expect("JSON"));
        assert_eq!(change(&stored(&before), &after), expected);
    }

    #[test]
    fn all_numbers_in_a_value_are_kept() {
        let sent = json!({ "a": [1.0, { "b": 0.5 }], "c": "1.0", "d": null });
        assert_eq!(stored(&sent), json!({ "a": [1, { "b": 0.5 }], "c": "1.0", "d": null }));
    }

    #[test]
    fn what_is_open_is_neither_required_nor_forbidden() {
        assert_eq!(Change::Open.revision(0), None);
        assert_eq!(Change::Open.generation(0), None);
        assert_eq!(Change::Open.max(Change::Something), Change::Something);
        assert_eq!(Change::Open.max(Change::Nothing), Change::Open);
    }
}
