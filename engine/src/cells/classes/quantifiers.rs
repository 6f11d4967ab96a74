//! Quantifiers: how many of their branches hold.

use crdible_generators::json::Json;
use crdible_semantics::{Format, Pattern};
use serde_json::{Map, Value};

use super::{Class, Found, Number, same};

/// A value under a quantifier.
pub(super) fn quantifier(found: &mut Found, name: &str, argument: &Value, value: &Json) {
    let branches = argument.as_array().map_or(std::slice::from_ref(argument), Vec::as_slice);
    let holding = branches.iter().filter(|branch| holds(branch, value)).count();
    found.add_if(name == "oneOf" && holding > 1, Class::SeveralHold);
    found.add(if satisfies(name, holding, branches.len()) { Class::Satisfying } else { Class::Violating });
}

fn satisfies(name: &str, holding: usize, branches: usize) -> bool {
    match name {
        "allOf" => holding == branches,
        "anyOf" => holding > 0,
        "oneOf" => holding == 1,
        _ => holding == 0,
    }
}

/// Whether a value satisfies a branch: value validation only, as in chapter 5, for the keywords that generators use
/// there.
fn holds(branch: &Value, value: &Json) -> bool {
    let Some(schema) = branch.as_object() else { return true };
    *value == Json::Null || schema.iter().all(|(name, argument)| keyword(schema, name, argument, value))
}

fn keyword(schema: &Map<String, Value>, name: &str, argument: &Value, value: &Json) -> bool {
    let bound = argument.as_i64().unwrap_or(0);
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    match (name, value) {
        ("type", value) => match argument.as_str() {
            Some("integer") => matches!(value, Json::Number(text) if Number::of(text).integer().is_some()),
            Some("string") => matches!(value, Json::String(_)),
            _ => true,
        },
        ("minLength", Json::String(text)) => count(text.chars().count()) >= bound,
        ("maxLength", Json::String(text)) => count(text.chars().count()) <= bound,
        ("pattern", Json::String(text)) => {
            argument.as_str().and_then(|pattern| Pattern::parse(pattern).ok()).is_none_or(|one| one.is_match(text))
        }
        ("format", Json::String(text)) => {
            argument.as_str().and_then(Format::named).is_none_or(|format| format.accepts(text))
        }
        ("minItems", Json::Array(elements)) => count(elements.len()) >= bound,
        ("maxItems", Json::Array(elements)) => count(elements.len()) <= bound,
        ("minProperties", Json::Object(entries)) => count(entries.len()) >= bound,
        ("maxProperties", Json::Object(entries)) => count(entries.len()) <= bound,
        ("minimum", Json::Number(text)) => {
            let order = compare(text, argument);
            order.is_gt() || order.is_eq() && schema.get("exclusiveMinimum") != Some(&Value::Bool(true))
        }
        ("maximum", Json::Number(text)) => {
            let order = compare(text, argument);
            order.is_lt() || order.is_eq() && schema.get("exclusiveMaximum") != Some(&Value::Bool(true))
        }
        ("multipleOf", Json::Number(text)) => {
            let both = Number::of(text).integer().zip(Number::of(&argument.to_string()).integer());
            both.is_some_and(|(value, factor)| value.checked_rem(factor) == Some(0))
        }
        ("enum", value) => argument.as_array().is_some_and(|list| list.iter().any(|listed| same(listed, value))),
        ("required", Json::Object(entries)) => argument
            .as_array()
            .into_iter()
            .flatten()
            .all(|name| entries.iter().any(|(key, _)| name.as_str() == Some(key))),
        ("properties", Json::Object(entries)) => {
            entries.iter().all(|(key, value)| argument.get(key).is_none_or(|branch| holds(branch, value)))
        }
        ("items", Json::Array(elements)) => elements.iter().all(|element| holds(argument, element)),
        ("allOf" | "anyOf" | "oneOf" | "not", value) => {
            let branches = argument.as_array().map_or(std::slice::from_ref(argument), Vec::as_slice);
            satisfies(name, branches.iter().filter(|branch| holds(branch, value)).count(), branches.len())
        }
        _ => true,
    }
}

fn compare(text: &str, bound: &Value) -> std::cmp::Ordering {
    let (value, bound) = (Number::of(text), bound.to_string());
    let bound = Number::of(&bound);
    match (value.integer(), bound.integer()) {
        (Some(value), Some(bound)) => value.cmp(&bound),
        _ => value.float().total_cmp(&bound.float()),
    }
}
