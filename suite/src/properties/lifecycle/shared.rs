//! Definitions that a scenario makes and deletes itself.

use serde_json::{Value, json};

use crate::{
    properties::shared::{
        definitions::{condition, read},
        spec_of,
    },
    scenario::{Body, Content, Edit, Expectation, Method, Plan, Request, Resource, StepId, Version},
};

/// A finalizer that only a scenario removes.
pub(super) const HOLD: &str = "crdible.dev/hold";
/// The finalizer by which a server removes the objects of a definition.
pub(super) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// A schema whose spec has the number `a` and these fields.
pub(super) fn schema(further: &[&str]) -> Value {
    let mut fields = json!({ "a": { "type": "integer" } });
    for name in further {
        fields[*name] = json!({ "type": "string" });
    }
    spec_of(fields)
}

/// POST of a definition with these versions, edited.
pub(super) fn make(plan: &mut Plan, definition: usize, versions: Vec<Version>, edits: Vec<Edit>) -> StepId {
    let body = Body::Definition { definition, versions, edits };
    plan.send(Request::new(Method::Post, Resource::Definitions, body))
}

/// Reads a definition until it is established.
pub(super) fn established(plan: &mut Plan, definition: usize) -> StepId {
    let settled = read(plan, definition);
    plan.repeat_until(settled, condition("Established", Some("True")));
    settled
}

/// POST of an object under a definition that has just become established: whoever serves it may not know that yet.
pub(super) fn create(plan: &mut Plan, definition: usize, version: &str, fields: impl Into<Content>) -> StepId {
    let created = plan.create_at(definition, version, fields);
    plan.repeat_until(created, Expectation::Accepted);
    created
}

/// DELETE of a definition with these options.
pub(super) fn delete(plan: &mut Plan, definition: usize, options: Option<Value>) -> StepId {
    let body = options.map_or(Body::None, Body::json);
    plan.send(Request::new(Method::Delete, Resource::Definition { definition }, body))
}

/// Removes the finalizers of a definition, except that of the server.
pub(super) fn release(plan: &mut Plan, definition: usize) -> StepId {
    let target = Resource::Definition { definition };
    let patch = json!([
        { "op": "test", "path": "/metadata/finalizers/0", "value": HOLD },
        { "op": "remove", "path": "/metadata/finalizers/0" },
    ]);
    plan.send(Request::new(Method::JsonPatch, target, Body::json(patch)))
}

/// Reads a definition until it is gone.
pub(super) fn gone(plan: &mut Plan, definition: usize, asserts: &[&str]) {
    let read = read(plan, definition);
    plan.repeat_until(read, Expectation::Status(404));
    plan.check("gone", asserts, read, Expectation::Status(404));
}

/// The condition of this type has this status for this reason.
pub(super) fn condition_for(kind: &str, status: &str, reason: &str) -> Expectation {
    Expectation::named_with("condition-for@1", json!({ "type": kind, "status": status, "reason": reason }))
}

/// A named check of one answer without arguments.
pub(super) fn named(check: &str) -> Expectation {
    Expectation::named_with(check, Value::Null)
}
