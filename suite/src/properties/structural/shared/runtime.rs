//! Definitions that are installed: objects are created under them, and other schemas are tried on them.

use serde_json::{Value, json};

use crate::scenario::{Body, Definition, Method, Plan, Request, Resource, StepId, Version};

/// A pooled definition with this schema.
pub(crate) fn of_json(plan: &mut Plan, schema: Value) -> usize {
    plan.define(Definition::of_schema(schema))
}

/// A root with these properties of `spec`.
pub(crate) fn object_of(properties: Value) -> Value {
    json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": properties } } })
}

/// An update of an installed definition to another schema, as a dry run.
pub(crate) fn try_update(plan: &mut Plan, definition: usize, schema: Value) -> StepId {
    try_update_versions(plan, definition, &[Version::only(schema)])
}

/// An update of an installed definition to other versions, as a dry run: a JSON patch, which needs no resourceVersion, and
/// leaves nulls inside defaults as they are.
pub(crate) fn try_update_versions(plan: &mut Plan, definition: usize, versions: &[Version]) -> StepId {
    let versions: Vec<Value> = versions.iter().map(Version::document).collect();
    let replaced = json!([{ "op": "replace", "path": "/spec/versions", "value": versions }]);
    let resource = Resource::Definition { definition };
    plan.send(Request::new(Method::JsonPatch, resource, Body::json(replaced)).tried())
}
