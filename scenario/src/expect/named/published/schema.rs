//! A published model against the one that is expected.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{super::Given, Mismatch, equal, model};
use crate::scenario::ModelPart as Part;

/// A description that is the server's own: any is fine.
const ANY: &str = "$any";
/// What embedded objects must have.
const TYPE_META: [&str; 2] = ["apiVersion", "kind"];

/// The first difference.
struct Found {
    place: String,
    keyword: String,
    reason: &'static str,
    expected: Value,
    actual: Value,
}

pub(in super::super) fn schema(given: &Given<'_>, name: &str, part: Part, schema: &Value) -> Result<(), Mismatch> {
    let actual = model(given.answer, name)?;
    let without_extensions = |model: &Value| {
        let mut fields = model.as_object().cloned().unwrap_or_default();
        fields.retain(|key, _| key != "x-kubernetes-group-version-kind" && key != "x-kubernetes-selectable-fields");
        fields
    };
    let [expected, actual] = [schema, actual].map(without_extensions);
    let Err(found) = node(&expected, &actual, part, "openAPIV3Schema") else { return Ok(()) };
    let Found { place, keyword, reason, expected, actual } = found;
    let phrase = match reason {
        "missing" => "is missing",
        "unexpected" => "is unexpected",
        _ => "is another",
    };
    let below = place.strip_prefix("openAPIV3Schema").unwrap_or(&place).trim_start_matches('.');
    let at = if below.is_empty() { "the root".to_owned() } else { below.to_owned() };
    let summary = format!("`{keyword}` at {at} of the model {name} {phrase}");
    let [expected, actual] = [expected, actual].map(|value| json!({ keyword.as_str(): value }));
    Err(Mismatch::new(expected, actual, &format!("{place}.{keyword}"), reason, summary))
}

fn node(expected: &Map<String, Value>, actual: &Map<String, Value>, part: Part, place: &str) -> Result<(), Found> {
    let keywords: BTreeSet<&String> = expected.keys().chain(actual.keys()).collect();
    for keyword in keywords {
        let both = (expected.get(keyword), actual.get(keyword));
        match (keyword.as_str(), both) {
            ("properties", _) => properties(both.0, both.1, part, place)?,
            ("items" | "additionalProperties", (Some(Value::Object(expected)), Some(Value::Object(actual)))) => {
                node(expected, actual, part, &format!("{place}.{keyword}"))?;
            }
            ("type" | "items" | "additionalProperties", _) if part != Part::Values => same(keyword, both, place)?,
            ("description", _) if part != Part::Values => {
                if both.0 != Some(&json!(ANY)) || both.1.is_some_and(|actual| !actual.is_string()) {
                    same(keyword, both, place)?;
                }
            }
            ("type" | "items" | "additionalProperties" | "description", _) => {}
            ("required", _) => {
                let is_embedded = expected.get("x-kubernetes-embedded-resource") == Some(&json!(true));
                let counts = |name: &str| match part {
                    Part::All => true,
                    Part::Structure => is_embedded && TYPE_META.contains(&name),
                    Part::Values => !(is_embedded && TYPE_META.contains(&name)),
                };
                let [expected, actual] = [both.0, both.1].map(|names| set(names, counts));
                same(keyword, (expected.as_ref(), actual.as_ref()), place)?;
            }
            _ if part == Part::Structure => {}
            ("allOf" | "anyOf" | "oneOf", (Some(Value::Array(expected)), Some(Value::Array(actual))))
                if expected.len() == actual.len() =>
            {
                for (number, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                    branch(expected, actual, &format!("{place}.{keyword}[{number}]"))?;
                }
            }
            ("not", (Some(expected), Some(actual))) => branch(expected, actual, &format!("{place}.not"))?,
            ("default", _) => {
                let [expected, actual] = [both.0, both.1].map(|default| default.filter(|default| !default.is_null()));
                same(keyword, (expected, actual), place)?;
            }
            _ => same(keyword, both, place)?,
        }
    }
    Ok(())
}

fn properties(expected: Option<&Value>, actual: Option<&Value>, part: Part, place: &str) -> Result<(), Found> {
    let none = Map::new();
    let [expected, actual] = [expected, actual].map(|all| all.and_then(Value::as_object).unwrap_or(&none));
    let names: BTreeSet<&String> = expected.keys().chain(actual.keys()).collect();
    for name in names {
        match (expected.get(name), actual.get(name)) {
            (Some(Value::Object(expected)), Some(Value::Object(actual))) => {
                // What every object has belongs to the structure, whatever its form.
                let is_meta = expected.get("description") == Some(&json!(ANY));
                let part = if is_meta && part == Part::Structure { Part::All } else { part };
                if !(is_meta && part == Part::Values) {
                    node(expected, actual, part, &format!("{place}.properties[{name}]"))?;
                }
            }
            (expected, actual) if part != Part::Values => {
                let named = |value: Option<&Value>| value.map(|value| json!({ name.as_str(): value }));
                let [expected, actual] = [expected, actual].map(named);
                same("properties", (expected.as_ref(), actual.as_ref()), place)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// A schema in a quantifier, which is as it was written.
fn branch(expected: &Value, actual: &Value, place: &str) -> Result<(), Found> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => node(expected, actual, Part::All, place),
        _ => same("allOf", (Some(expected), Some(actual)), place),
    }
}

fn set(names: Option<&Value>, counts: impl Fn(&str) -> bool) -> Option<Value> {
    let names = names?.as_array()?.iter().filter_map(Value::as_str).filter(|name| counts(name));
    let names: BTreeSet<&str> = names.collect();
    (!names.is_empty()).then(|| json!(names))
}

fn same(keyword: &str, (expected, actual): (Option<&Value>, Option<&Value>), place: &str) -> Result<(), Found> {
    let reason = match (expected, actual) {
        (Some(expected), Some(actual)) if equal(expected, actual) => return Ok(()),
        (None, None) => return Ok(()),
        (Some(_), None) => "missing",
        (None, Some(_)) => "unexpected",
        (Some(_), Some(_)) => "changed",
    };
    let [expected, actual] = [expected, actual].map(|value| value.cloned().unwrap_or_default());
    Err(Found { place: place.to_owned(), keyword: keyword.to_owned(), reason, expected, actual })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Part, node};

    #[rstest]
    #[case::description_of_the_server(json!({ "description": "$any" }), json!({ "description": "x" }), None)]
    #[case::none(json!({ "description": "$any" }), json!({}), None)]
    #[case::own_description(json!({ "description": "a" }), json!({}), Some((Part::Structure, "description")))]
    #[case::required_is_a_set(json!({ "required": ["a", "b"] }), json!({ "required": ["b", "a"] }), None)]
    #[case::null_default(json!({ "default": null }), json!({}), None)]
    #[case::default(json!({ "default": 1 }), json!({}), Some((Part::Values, "default")))]
    #[case::numbers(json!({ "maximum": 1 }), json!({ "maximum": 1.0 }), None)]
    #[case::lost_property(json!({ "properties": { "a": { "enum": [1] } } }), json!({}), Some((Part::Structure, "properties")))]
    #[case::enum_order(json!({ "enum": ["a", "b"] }), json!({ "enum": ["b", "a"] }), Some((Part::Values, "enum")))]
    #[case::branch(json!({ "anyOf": [{ "type": "string" }] }), json!({ "anyOf": [{}] }), Some((Part::Values, "type")))]
    #[case::metadata(
        json!({ "properties": { "metadata": { "description": "$any", "allOf": [] } } }),
        json!({ "properties": { "metadata": { "type": "object" } } }),
        Some((Part::Structure, "allOf"))
    )]
    #[case::embedded(
        json!({ "x-kubernetes-embedded-resource": true, "required": ["kind", "a"] }),
        json!({ "x-kubernetes-embedded-resource": true, "required": ["a"] }),
        Some((Part::Structure, "required"))
    )]
    #[case::required_of_the_user(
        json!({ "x-kubernetes-embedded-resource": true, "required": ["kind", "a"] }),
        json!({ "x-kubernetes-embedded-resource": true, "required": ["kind"] }),
        Some((Part::Values, "required"))
    )]
    fn a_difference_belongs_to_one_part(
        #[case] expected: Value,
        #[case] actual: Value,
        #[case] found: Option<(Part, &str)>,
    ) {
        let [expected, actual] = [&expected, &actual].map(|node| node.as_object().expect("a schema").clone());
        for part in [Part::Structure, Part::Values, Part::All] {
            let keyword = node(&expected, &actual, part, "").err().map(|found| found.keyword);
            let counts = found.filter(|(of, _)| part == Part::All || *of == part).map(|(_, keyword)| keyword);
            assert_eq!(keyword.as_deref(), counts);
        }
    }
}
