//! The arguments of named checks. With invalid arguments, a scenario from a file could pass without checking anything.

use serde::Deserialize as _;
use serde_json::Value;

use crate::scenario::{Cause, Expectation};

/// The form of one argument.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Any,
    Text,
    /// Null and absent are fine.
    TextOrNull,
    Texts,
    /// Absent is false.
    Flag,
    Code,
    Number,
    Numbers,
    Causes,
    /// Lists of texts.
    Classes,
    /// `{"field": text, "pointer": text}`.
    Place,
    /// `[{"type": text, "object": number, "labels": object, "content": value, "perhaps": flag}, …]`.
    Events,
    /// `[[{"namespace": text, "object": number, "content": value}, …], …]`, with or without namespaces; at least one.
    States,
    /// Expectations that look at no other answer; at least one.
    Expectations,
}

/// The names of the arguments of a check, and their forms.
pub(super) type Arguments = &'static [(&'static str, Form)];

/// Whether a check with this name may have these arguments.
pub(super) type IsCheck = fn(&str, &Value) -> bool;

impl Form {
    fn accepts(self, value: &Value, is_check: IsCheck) -> bool {
        let texts = |value: &Value| value.as_array().is_some_and(|texts| texts.iter().all(Value::is_string));
        match self {
            Self::Any => true,
            Self::Text => value.is_string(),
            Self::TextOrNull => is_text_or_null(value),
            Self::Texts => texts(value),
            Self::Flag => is_flag(value),
            Self::Code | Self::Number => value.is_u64(),
            Self::Numbers => value.as_array().is_some_and(|numbers| numbers.iter().all(Value::is_u64)),
            Self::Causes => serde_json::from_value::<Vec<Cause>>(value.clone()).is_ok(),
            Self::Classes => value.as_array().is_some_and(|classes| classes.iter().all(texts)),
            Self::Place => ["field", "pointer"].iter().all(|part| value[part].is_string()),
            Self::Events => value.as_array().is_some_and(|events| events.iter().all(is_event)),
            Self::States => {
                let is_state = |state: &Value| state.as_array().is_some_and(|state| state.iter().all(is_seen));
                value.as_array().is_some_and(|states| !states.is_empty() && states.iter().all(is_state))
            }
            Self::Expectations => value.as_array().is_some_and(|expectations| {
                !expectations.is_empty() && expectations.iter().all(|one| stands_alone(one, is_check))
            }),
        }
    }

    /// What is accepted, for a message.
    fn phrase(self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Text => "a string",
            Self::TextOrNull => "a string or null",
            Self::Texts => "a list of strings",
            Self::Flag => "a boolean",
            Self::Code => "a status code",
            Self::Number => "a number",
            Self::Numbers => "a list of numbers",
            Self::Causes => "a list of causes",
            Self::Classes => "a list of lists of strings",
            Self::Place => "an object with the strings `field` and `pointer`",
            Self::Events => {
                "a list of objects with `type`, `object` (a number), `labels` (an object), `content` and, if it may be left out, `perhaps`"
            }
            Self::States => {
                "a list of lists of objects with `object` (a number), `content` and, if it counts, `namespace`; at least one"
            }
            Self::Expectations => "a list of expectations that look at no other answer; at least one",
        }
    }
}

fn is_text_or_null(value: &Value) -> bool {
    value.is_null() || value.is_string()
}

fn is_flag(value: &Value) -> bool {
    value.is_null() || value.is_boolean()
}

fn is_event(event: &Value) -> bool {
    event["type"].is_string()
        && event["object"].is_u64()
        && event["labels"].is_object()
        && event.get("content").is_some()
        && is_flag(&event["perhaps"])
}

/// Whether it is an expectation of one answer alone, and, if it is a named check, a valid one.
fn stands_alone(expectation: &Value, is_check: IsCheck) -> bool {
    Expectation::deserialize(expectation).is_ok_and(|expectation| {
        expectation.looks_at().is_empty()
            && match &expectation {
                Expectation::Named { check, arguments, .. } => is_check(check, arguments),
                _ => true,
            }
    })
}

fn is_seen(object: &Value) -> bool {
    is_text_or_null(&object["namespace"]) && object["object"].is_u64() && object.get("content").is_some()
}

/// Validates the arguments of a check. `is_check` says whether a check with this name may have these arguments: some have checks in them.
pub(super) fn check(expected: Arguments, given: &Value, is_check: IsCheck) -> Result<(), String> {
    let fields = match given {
        Value::Null => &serde_json::Map::new(),
        Value::Object(fields) => fields,
        _ => return Err("its arguments are not an object".to_owned()),
    };
    if let Some(unknown) = fields.keys().find(|key| expected.iter().all(|(name, _)| name != key)) {
        return Err(format!("it has no argument `{unknown}`"));
    }
    match expected.iter().find(|(name, form)| !form.accepts(fields.get(*name).unwrap_or(&Value::Null), is_check)) {
        Some((name, form)) => Err(format!("its argument `{name}` must be {}", form.phrase())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Arguments, Form, check};

    const ONE_OF_EACH: Arguments = &[
        ("any", Form::TextOrNull),
        ("texts", Form::Texts),
        ("causes", Form::Causes),
        ("classes", Form::Classes),
        ("code", Form::Code),
        ("numbers", Form::Numbers),
        ("events", Form::Events),
        ("states", Form::States),
        ("of", Form::Expectations),
    ];

    fn given(key: &str, value: Value) -> Value {
        let mut given = json!({
            "texts": ["a"], "causes": [{ "field": "spec", "reason": "Invalid" }], "classes": [["a"], []], "code": 404,
            "numbers": [0], "events": [{ "type": "ADDED", "object": 0, "labels": {}, "content": {} }],
            "states": [[{ "object": 0, "content": {} }], []],
            "of": ["accepted", { "named": { "check": "has@1", "arguments": { "pointer": "/kind" } } }],
        });
        given[key] = value;
        given
    }

    #[rstest]
    #[case::as_it_should_be(given("any", json!("a")), true)]
    #[case::null(given("any", Value::Null), true)]
    #[case::another_name(given("text", json!(["a"])), false)]
    #[case::text_for_texts(given("texts", json!("a")), false)]
    #[case::number_among_texts(given("texts", json!(["a", 1])), false)]
    #[case::cause_without_field(given("causes", json!([{ "reason": "Invalid" }])), false)]
    #[case::flat_classes(given("classes", json!(["a"])), false)]
    #[case::code_as_text(given("code", json!("404")), false)]
    #[case::text_among_numbers(given("numbers", json!([0, "1"])), false)]
    #[case::event_without_content(given("events", json!([{ "type": "ADDED", "object": 0, "labels": {} }])), false)]
    #[case::no_state(given("states", json!([])), false)]
    #[case::state_without_numbers(given("states", json!([[{ "object": "0", "content": {} }]])), false)]
    #[case::no_expectation(given("of", json!([])), false)]
    #[case::unknown_expectation(given("of", json!(["unheard-of"])), false)]
    #[case::expectation_of_two_answers(given("of", json!([{ "same-content": { "as": 0 } }])), false)]
    #[case::unknown_check(given("of", json!([{ "named": { "check": "unheard-of@1" } }])), false)]
    #[case::nothing(Value::Null, false)]
    #[case::no_object(json!([]), false)]
    fn arguments_have_a_form(#[case] given: Value, #[case] is_valid: bool) {
        assert_eq!(check(ONE_OF_EACH, &given, |name, _| name != "unheard-of@1").is_ok(), is_valid);
    }
}
