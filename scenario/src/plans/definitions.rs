//! Definitions: requests that make, read, change and delete them, and the expected answers.

use serde_json::{Value, json};

use super::schema::root_of;
use crate::scenario::{
    Body, Cause, Content, Definition, Edit, Expectation, Method, NamedCheck, Plan, Request, Resource, StepId, Version,
};

/// A finalizer that only a scenario removes.
pub const HOLD: &str = "crdible.dev/hold";

/// Two served versions: `v1`, which is the storage version, and `v2`.
pub fn two_versions(v1: Value, v2: Value) -> Vec<Version> {
    vec![Version::only(v1), Version::named("v2", v2)]
}

/// A definition that no other scenario uses, with `v1`, the storage version, and further versions, all served; and the
/// step that reads it until it is established.
pub fn established(plan: &mut Plan, further: &[&str]) -> (usize, StepId) {
    establish(plan, further, true)
}

/// The same with no version served.
pub fn established_unserved(plan: &mut Plan, further: &[&str]) -> (usize, StepId) {
    establish(plan, further, false)
}

fn establish(plan: &mut Plan, further: &[&str], is_served: bool) -> (usize, StepId) {
    let schema = || root_of(json!({ "type": "object" }));
    let versions = [Version::only(schema())].into_iter();
    let versions = versions.chain(further.iter().map(|name| Version::named(*name, schema())));
    let versions = versions.map(|version| version.served_if(is_served)).collect();
    let definition = plan.define(Definition::with_versions(versions).owned());
    let read = read(plan, definition);
    plan.repeat_until(read, condition("Established", Some("True")));
    (definition, read)
}

/// POST of a definition with these versions, edited.
pub fn make(plan: &mut Plan, definition: usize, versions: Vec<Version>, edits: Vec<Edit>) -> StepId {
    let body = Body::Definition { definition, versions, edits };
    plan.send(Request::post(Resource::Definitions, body))
}

/// POST of an object under a definition that has just become established: the server that answers may not know it yet.
pub fn create(plan: &mut Plan, definition: usize, version: &str, fields: impl Into<Content>) -> StepId {
    let created = plan.create_at(definition, version, fields);
    plan.repeat_until(created, Expectation::Accepted);
    created
}

/// DELETE of a definition with these options.
pub fn delete(plan: &mut Plan, definition: usize, options: Option<Value>) -> StepId {
    let body = options.map_or(Body::None, Body::json);
    plan.send(Request::delete_with(Resource::Definition { definition }, body))
}

/// Removes the finalizers of a definition, except that of the server.
pub fn release(plan: &mut Plan, definition: usize) -> StepId {
    let target = Resource::Definition { definition };
    let patch = json!([
        { "op": "test", "path": "/metadata/finalizers/0", "value": HOLD },
        { "op": "remove", "path": "/metadata/finalizers/0" },
    ]);
    plan.send(Request::json_patch(target, patch))
}

/// Waits until the server has begun to clean up after a deletion, which other deletions may delay (LIFE-015). What
/// comes then is waited for by itself.
pub fn await_cleanup(plan: &mut Plan, definition: usize) {
    let read = read(plan, definition);
    plan.repeat_until(read, NamedCheck::CleanupBegun);
}

/// The cleanup of the server does not wait for storage: how long that takes is nowhere promised (LIFE-014).
pub fn cleanup_not_delayed() -> Expectation {
    NamedCheck::CleanupNotDelayed.into()
}

/// Reads a definition until it is gone.
pub fn gone(plan: &mut Plan, definition: usize, asserts: &[&str]) {
    await_cleanup(plan, definition);
    let read = read(plan, definition);
    plan.repeat_until(read, Expectation::Status(404));
    plan.assume(read, cleanup_not_delayed());
    plan.check("gone", asserts, read, Expectation::Status(404));
}

/// GET of a definition.
pub fn read(plan: &mut Plan, definition: usize) -> StepId {
    plan.read(Resource::Definition { definition })
}

/// A JSON patch of a definition.
pub fn patch(plan: &mut Plan, definition: usize, operations: Value) -> StepId {
    plan.send(patch_of(Method::JsonPatch, definition, operations))
}

/// The same as a dry run.
pub fn try_patch(plan: &mut Plan, definition: usize, operations: Value) -> StepId {
    plan.send(patch_of(Method::JsonPatch, definition, operations).as_dry_run())
}

/// A merge patch of a definition.
pub fn merge(plan: &mut Plan, definition: usize, patch: Value) -> StepId {
    plan.send(patch_of(Method::MergePatch, definition, patch))
}

/// The same as a dry run.
pub fn try_merge(plan: &mut Plan, definition: usize, patch: Value) -> StepId {
    plan.send(patch_of(Method::MergePatch, definition, patch).as_dry_run())
}

/// PUT of the answer of an earlier step, edited.
pub fn put(plan: &mut Plan, definition: usize, answer: StepId, dry_run: bool, edits: Vec<Edit>) -> StepId {
    let body = Body::Answer { step: answer, edits };
    plan.send(Request { dry_run, ..Request::put(Resource::Definition { definition }, body) })
}

/// The operations that replace the versions of a definition. As a JSON patch they need no resourceVersion, and leave
/// nulls in defaults unchanged.
pub fn replacing_versions(versions: &[Version]) -> Value {
    let versions: Vec<Value> = versions.iter().map(Version::document).collect();
    json!([{ "op": "replace", "path": "/spec/versions", "value": versions }])
}

fn patch_of(method: Method, definition: usize, patch: Value) -> Request {
    Request::new(method, Resource::Definition { definition }, Body::json(patch))
}

/// Waits until a deleted definition is gone, which may take a minute (VER-006). That it goes at all is a matter of
/// another chapter (LIFE-015).
pub fn await_gone(plan: &mut Plan, definition: usize) {
    await_cleanup(plan, definition);
    let gone = read(plan, definition);
    plan.repeat_until(gone, Expectation::Status(404));
    plan.assume(gone, Expectation::Status(404));
}

/// The condition of this type has this status; `None` means that the condition does not exist.
pub fn condition(kind: &str, status: Option<&str>) -> Expectation {
    NamedCheck::Condition { r#type: kind.to_owned(), status: status.map(str::to_owned) }.into()
}

/// Checks for 422 with exactly these causes, in either form in which a server may write their fields (CRDVAL-023).
pub fn check_causes(plan: &mut Plan, name: &str, asserts: &[&str], step: StepId, causes: &[impl Into<Cause> + Clone]) {
    let causes = causes.iter().cloned().map(Into::into).collect();
    plan.check(name, asserts, step, NamedCheck::DefinitionCauses { causes });
}

/// A rejection with this code and this reason.
pub fn refused_as(status: u16, reason: &str) -> Expectation {
    NamedCheck::RefusedAs { status, reason: reason.to_owned() }.into()
}
