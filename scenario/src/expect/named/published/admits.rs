//! Whether a published model admits an object, as a client would find out that validates it.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use std::collections::BTreeSet;

use crdible_journal::schema::Schema;
use crdible_semantics::Pattern;
use serde_json::{Map, Value, json};

use super::{super::Given, Mismatch, model};

pub(in super::super) fn admits(given: &Given<'_>, name: &str) -> Result<(), Mismatch> {
    let object = &given.answer.body;
    if !given.answer.is_accepted() {
        let summary = format!("the object was not accepted: {}", given.answer.status);
        return Err(Mismatch::new(json!("2xx"), json!(given.answer.status), "", "refused", summary));
    }
    let of = given.looked_at()?;
    let model = model(of, name)?;
    // In version 2 nothing says that a value may be null, other than that it may be of any type.
    let is_v2 = of.body.get("swagger").is_some();
    let schema = json_schema(model, is_v2);
    let schema = match Schema::parse(&schema) {
        Ok(schema) => schema,
        Err(error) => {
            let summary = format!("the model is no schema: {error}");
            return Err(Mismatch::new(json!("a schema"), model.clone(), "", "no-schema", summary));
        }
    };
    let Some(violation) = schema.violations(object).into_iter().next() else { return Ok(()) };
    let summary = format!("the model does not admit the object at {}: {}", violation.place, violation.keyword);
    let place = format!("openAPIV3Schema.{}", violation.keyword);
    let value = object.pointer(&violation.place).cloned().unwrap_or_default();
    Err(Mismatch::new(json!("an object that the model admits"), value, &place, "not-admitted", summary))
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
            // A pattern that is not a regular expression of Go says nothing about values.
            ("pattern", Value::String(text)) if Pattern::parse(text).is_err() => continue,
            // A fraction of which a float is a multiple is a matter of rounding.
            ("multipleOf", factor) if !factor.is_i64() && !factor.is_u64() => continue,
            // A name twice is allowed, and means what it means once.
            ("required", Value::Array(names)) => {
                let names: BTreeSet<&str> = names.iter().filter_map(Value::as_str).collect();
                (keyword.as_str(), json!(names))
            }
            (
                "type" | "enum" | "minimum" | "maximum" | "multipleOf" | "minLength" | "maxLength" | "minItems"
                | "maxItems" | "minProperties" | "maxProperties" | "uniqueItems" | "pattern",
                value,
            ) => (keyword.as_str(), value.clone()),
            // References are to metadata, of which the server knows more than a model says; all else is no matter
            // of values.
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
