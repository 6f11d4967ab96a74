//! Definitions under which objects are created.

use crdible_semantics::Schema;
use serde_json::{Value, json};

use crate::scenario::{Definition, Plan};

/// A pooled definition with this schema.
pub(crate) fn of_json(plan: &mut Plan, schema: Value) -> usize {
    plan.define(Definition::of_schema(schema))
}

/// A root with these properties of `spec`.
pub(crate) fn object_of(properties: Value) -> Value {
    json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": properties } } })
}
