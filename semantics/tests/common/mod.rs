//! What the tables of all chapters share.
#![allow(dead_code, clippy::expect_used)]

use crdible_semantics::{Schema, SchemaContext, SchemaRules, Upstream, Validation, Violation};
use serde_json::{Value, json};

/// A schema whose JSON is right.
pub(crate) fn schema(json: &Value) -> Schema {
    Schema::parse(json).expect("the JSON of a test's schema is right").0
}

/// A root with these properties.
pub(crate) fn root(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// Causes as `field Reason`, sorted, without the common start of schema paths.
pub(crate) fn causes(violations: &[Violation]) -> Vec<String> {
    let mut causes: Vec<String> = violations
        .iter()
        .map(|violation| {
            let field = violation.field.strip_prefix("openAPIV3Schema").unwrap_or(&violation.field);
            format!("{field} {}", violation.reason)
        })
        .collect();
    causes.sort();
    causes
}

/// The causes of a schema of a version without subresources.
pub(crate) fn schema_causes(json: &Value) -> Vec<String> {
    causes(&Upstream.schema_violations(&schema(json), &SchemaContext::default()))
}

/// The causes of an object under a schema.
pub(crate) fn object_causes(json: &Value, object: &Value) -> Vec<String> {
    causes(&Upstream.object_violations(object, &schema(json)))
}

/// `expected` sorted as `causes` sorts.
pub(crate) fn sorted(expected: &[&str]) -> Vec<String> {
    let mut expected: Vec<String> = expected.iter().map(|cause| (*cause).to_owned()).collect();
    expected.sort();
    expected
}
