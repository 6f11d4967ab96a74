//! Whether a published model admits an object, as a client would find out that validates it.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use std::collections::BTreeSet;

use crdible_semantics::Pattern;
use jsonschema::{Keyword, ValidationError, paths::Location};
use serde_json::{Map, Value, json};

use super::{super::Given, Mismatch, model};

/// The keyword in which the patterns of a model are: they have Go's syntax.
const PATTERN: &str = "goPattern";

/// The model of the document that the other answer is admits the object of this answer. Formats do not count (INV-057).
pub(in super::super) fn admits(given: &Given<'_>) -> Result<(), Mismatch> {
    let object = &given.answer.body;
    if !given.answer.is_accepted() {
        let summary = format!("the object was not accepted: {}", given.answer.status);
        return Err(Mismatch::new(json!("2xx"), json!(given.answer.status), "", "refused", summary));
    }
    let of = given.looked_at()?;
    let model = model(given, of)?;
    // In version 2 nothing says that a value may be null, other than that it may be of any type.
    let is_v2 = of.body.get("swagger").is_some();
    let schema = json_schema(model, is_v2);
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(false);
    let validator = match options.with_keyword(PATTERN, go_pattern).build(&schema) {
        Ok(validator) => validator,
        Err(error) => {
            let summary = format!("the model is no schema: {error}");
            return Err(Mismatch::new(json!("a schema"), model.clone(), "", "no-schema", summary));
        }
    };
    let Some(error) = validator.iter_errors(object).next() else { return Ok(()) };
    let keyword = error.schema_path().to_string();
    let keyword = keyword.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or_default().to_owned();
    let summary = format!("the model does not admit the object at {}: {keyword}", error.instance_path());
    let place = format!("openAPIV3Schema.{keyword}");
    Err(Mismatch::new(
        json!("an object that the model admits"),
        error.instance().clone().into_owned(),
        &place,
        "not-admitted",
        summary,
    ))
}

/// The model as a JSON Schema.
fn json_schema(model: &Value, is_v2: bool) -> Value {
    let Some(model) = model.as_object() else { return model.clone() };
    let below = |node: &Value| json_schema(node, is_v2);
    let mut schema = Map::new();
    for (keyword, value) in model {
        let (key, value) = match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                (keyword.as_str(), properties.iter().map(|(name, node)| (name.clone(), below(node))).collect())
            }
            ("items" | "additionalProperties" | "not", node) => (keyword.as_str(), below(node)),
            ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => {
                (keyword.as_str(), branches.iter().map(below).collect())
            }
            ("minimum", bound) if is_true(model, "exclusiveMinimum") => ("exclusiveMinimum", bound.clone()),
            ("maximum", bound) if is_true(model, "exclusiveMaximum") => ("exclusiveMaximum", bound.clone()),
            ("pattern", pattern) => (PATTERN, pattern.clone()),
            // A fraction of which a float is a multiple is a matter of rounding.
            ("multipleOf", factor) if !factor.is_i64() && !factor.is_u64() => continue,
            // A name twice is allowed, and means what it means once.
            ("required", Value::Array(names)) => {
                let names: BTreeSet<&str> = names.iter().filter_map(Value::as_str).collect();
                (keyword.as_str(), json!(names))
            }
            (
                "type" | "enum" | "minimum" | "maximum" | "multipleOf" | "minLength" | "maxLength" | "minItems"
                | "maxItems" | "minProperties" | "maxProperties" | "uniqueItems",
                value,
            ) => (keyword.as_str(), value.clone()),
            // References are to metadata, of which the server knows more than a model says; all else is no matter of values.
            _ => continue,
        };
        schema.insert(key.to_owned(), value);
    }
    let may_be_null = is_true(model, "nullable") || (is_v2 && !model.contains_key("type"));
    if may_be_null { json!({ "anyOf": [{ "type": "null" }, schema] }) } else { Value::Object(schema) }
}

fn is_true(model: &Map<String, Value>, keyword: &str) -> bool {
    model.get(keyword) == Some(&json!(true))
}

/// A pattern in Go's syntax.
struct GoPattern(Option<Pattern>);

impl<'i> Keyword<'i> for GoPattern {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom("it does not match")) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let text = instance.as_str();
        self.0.as_ref().zip(text).is_none_or(|(pattern, text)| pattern.is_match(text))
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the library demands it")]
fn go_pattern<'a>(
    _: &'a Map<String, Value>,
    pattern: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    Ok(Box::new(GoPattern(pattern.as_str().and_then(|pattern| Pattern::parse(pattern).ok()))))
}
