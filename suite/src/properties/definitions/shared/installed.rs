//! Definitions that are installed, and changes of them.

use serde_json::{Value, json};

use crate::scenario::{
    Body, Content, Definition, Edit, Expectation, Method, Plan, Request, Resource, Scope, StepId, Tenancy, Version,
};

/// A definition of the scenario's own with `v1`, which is stored, and further versions, all served; and the step that read it once
/// it was established.
pub(crate) fn own(plan: &mut Plan, further: &[&str]) -> (usize, StepId) {
    install(plan, further, true)
}

/// The same with versions that are not served.
pub(crate) fn unserved(plan: &mut Plan, further: &[&str]) -> (usize, StepId) {
    install(plan, further, false)
}

fn install(plan: &mut Plan, further: &[&str], served: bool) -> (usize, StepId) {
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object" } } });
    let version = |name: &str, storage| Version { name: name.to_owned(), served, storage, schema: schema.clone() };
    let mut versions = vec![version("v1", true)];
    versions.extend(further.iter().map(|name| version(name, false)));
    let definition = plan.define(Definition { scope: Scope::Cluster, versions, tenancy: Tenancy::Own });
    let read = read(plan, definition);
    let arguments = json!({ "type": "Established", "status": "True" });
    plan.repeat_until(read, Expectation::Named { check: "condition@2".into(), of: None, arguments });
    (definition, read)
}

/// GET of a definition.
pub(crate) fn read(plan: &mut Plan, definition: usize) -> StepId {
    plan.read(Resource::Definition { definition })
}

/// A JSON patch of a definition.
pub(crate) fn patch(plan: &mut Plan, definition: usize, operations: Value) -> StepId {
    plan.send(request(Method::JsonPatch, definition, false, operations))
}

/// The same as a dry run.
pub(crate) fn try_patch(plan: &mut Plan, definition: usize, operations: Value) -> StepId {
    plan.send(request(Method::JsonPatch, definition, true, operations))
}

/// A merge patch of a definition.
pub(crate) fn merge(plan: &mut Plan, definition: usize, patch: Value) -> StepId {
    plan.send(request(Method::MergePatch, definition, false, patch))
}

/// The same as a dry run.
pub(crate) fn try_merge(plan: &mut Plan, definition: usize, patch: Value) -> StepId {
    plan.send(request(Method::MergePatch, definition, true, patch))
}

/// PUT of what an earlier step returned, edited.
pub(crate) fn put(plan: &mut Plan, definition: usize, answer: StepId, dry_run: bool, edits: Vec<Edit>) -> StepId {
    let body = Body::Answer { step: answer, edits };
    let resource = Resource::Definition { definition };
    plan.send(Request { method: Method::Put, resource, dry_run, query: vec![], accept: None, body })
}

fn request(method: Method, definition: usize, dry_run: bool, body: Value) -> Request {
    let (resource, body) = (Resource::Definition { definition }, Body::Json(Content::Plain(body)));
    Request { method, resource, dry_run, query: vec![], accept: None, body }
}
