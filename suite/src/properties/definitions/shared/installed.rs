//! Definitions that are installed, and changes of them.

use serde_json::{Value, json};

use super::Bundle;

use crate::scenario::{Body, Definition, Edit, Expectation, Method, Plan, Request, Resource, StepId, Tenancy, Version};

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
    let version =
        |name: &str, storage| Version { name: name.to_owned(), served, storage, ..Version::only(schema.clone()) };
    let mut versions = vec![version("v1", true)];
    versions.extend(further.iter().map(|name| version(name, false)));
    let definition = plan.define(Definition { versions, tenancy: Tenancy::Own, ..Definition::default() });
    let read = read(plan, definition);
    plan.repeat_until(read, condition("Established", Some("True")));
    (definition, read)
}

/// The condition of this type has this status; none: there is no such condition.
pub(crate) fn condition(kind: &str, status: Option<&str>) -> Expectation {
    Expectation::named_with("condition@2", json!({ "type": kind, "status": status }))
}

/// GET of a definition.
pub(crate) fn read(plan: &mut Plan, definition: usize) -> StepId {
    plan.read(Resource::Definition { definition })
}

/// A JSON patch of a definition.
pub(crate) fn patch(plan: &mut Plan, definition: usize, operations: Value) -> StepId {
    plan.send(patch_of(Method::JsonPatch, definition, operations))
}

/// The same as a dry run.
pub(crate) fn try_patch(plan: &mut Plan, definition: usize, operations: Value) -> StepId {
    plan.send(patch_of(Method::JsonPatch, definition, operations).tried())
}

/// A merge patch of a definition.
pub(crate) fn merge(plan: &mut Plan, definition: usize, patch: Value) -> StepId {
    plan.send(patch_of(Method::MergePatch, definition, patch))
}

/// The same as a dry run.
pub(crate) fn try_merge(plan: &mut Plan, definition: usize, patch: Value) -> StepId {
    plan.send(patch_of(Method::MergePatch, definition, patch).tried())
}

/// PUT of what an earlier step returned, edited.
pub(crate) fn put(plan: &mut Plan, definition: usize, answer: StepId, dry_run: bool, edits: Vec<Edit>) -> StepId {
    let body = Body::Answer { step: answer, edits };
    plan.send(Request { dry_run, ..Request::new(Method::Put, Resource::Definition { definition }, body) })
}

fn patch_of(method: Method, definition: usize, patch: Value) -> Request {
    Request::new(method, Resource::Definition { definition }, Body::json(patch))
}

/// A new definition with a conversion webhook of this bundle: its number, the step that made it, and the one that read it until it said
/// that it is not established for that (CRDVAL-048). Other reasons pass: a definition that is being installed has one, too.
pub(crate) fn unestablished(plan: &mut Plan, bundle: &Bundle) -> (usize, StepId, StepId) {
    let definition = plan.unborn();
    let made = plan.make(definition, vec![Edit::Set("/spec/conversion".into(), bundle.conversion())]);
    let settled = read(plan, definition);
    plan.repeat_until(settled, not_established());
    (definition, made, settled)
}

/// Not established, because of the certificates of the conversion webhook (CRDVAL-048).
pub(crate) fn not_established() -> Expectation {
    let condition = json!({ "type": "Established", "status": "False", "reason": "InvalidCABundle" });
    Expectation::named_with("condition-for@1", condition)
}
