//! Helpers for the tests of all chapters.

use crdible_semantics::{Schema, SchemaContext, Semantics, Violation};
use serde_json::{Value, json};

/// Parses a schema that is known to be decodable.
pub(crate) fn schema(json: &Value) -> Schema {
    Schema::parse(json).expect("a readable schema").0
}

/// A root schema with these properties.
pub(crate) fn root(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// Causes as `field Reason`, sorted, without the common prefix of schema paths.
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
    causes(&Semantics::UPSTREAM.schema_violations(&schema(json), &SchemaContext::default()))
}

/// The causes of an object under a schema.
pub(crate) fn object_causes(json: &Value, object: &Value) -> Vec<String> {
    causes(&Semantics::UPSTREAM.object_violations(object, &schema(json), None))
}

/// `expected`, in the same order as `causes`.
pub(crate) fn sorted(expected: &[&str]) -> Vec<String> {
    let mut expected: Vec<String> = expected.iter().map(|cause| (*cause).to_owned()).collect();
    expected.sort();
    expected
}

/// The causes of a schema with this node, each as seen from the node, in order.
pub(crate) fn node_causes(json: &Value) -> Vec<String> {
    let causes = schema_causes(&root(&json!({ "a": json })));
    causes.iter().map(|cause| cause.strip_prefix(".properties[a]").unwrap_or(cause).to_owned()).collect()
}
