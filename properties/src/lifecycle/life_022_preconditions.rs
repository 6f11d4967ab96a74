//! LIFE-022: preconditions and dry runs of the deletion of a definition.

use super::shared::{CLEANUP, condition_for};
use crate::prelude::*;
use crate::shared::{
    definitions::{condition, read, refused_as},
    has,
};

pub(super) const PROPERTY: Property = Property::new("life-022-preconditions", plan)
    .title("the deletion of a definition respects preconditions and dry run")
    .asserts(&["LIFE-022", "REST-049"])
    .needs(&[Capability::Storing, Capability::Conditions]);

const ASSERTS: &[&str] = &["LIFE-022"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define(Definition::of_schema(spec_of(json!({ "a": { "type": "integer" } }))).owned());
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let before = read(plan, definition);
    plan.cases(choices, "deletion", |plan, choices| {
        let preconditions = choices
            .pick(&[
                Value::Null,
                json!({}),
                json!({ "uid": "00000000-0000-0000-0000-000000000000" }),
                json!({ "resourceVersion": "1" }),
                json!({ "uid": "00000000-0000-0000-0000-000000000000", "resourceVersion": "1" }),
            ])
            .clone();
        let hold = preconditions.as_object().is_none_or(Map::is_empty);
        let mut options = json!({ "kind": "DeleteOptions", "apiVersion": "v1" });
        if !preconditions.is_null() {
            options["preconditions"] = preconditions;
        }
        // What is deleted indeed cannot be deleted again.
        let is_dry = hold || choices.chance(1, 3);
        let in_body = is_dry && choices.chance(1, 2);
        if in_body {
            options["dryRun"] = json!(["All"]);
        }
        // Options in a body take the place of those in the query.
        let body = if is_dry && !in_body && hold { Body::None } else { Body::json(options) };
        let dry_run = is_dry && matches!(body, Body::None);
        let target = Resource::Definition { definition };
        let deleted = plan.send(Request { dry_run, ..Request::delete_with(target, body) });
        if hold {
            plan.check("shown", ASSERTS, deleted, has("/metadata/deletionTimestamp"));
            plan.check("shown-finalizer", ASSERTS, deleted, at("/metadata/finalizers", json!([CLEANUP])));
            let pending = condition_for("Terminating", "True", "InstanceDeletionPending");
            plan.check("shown-terminating", ASSERTS, deleted, pending);
        } else {
            plan.check("refused", ASSERTS, deleted, refused_as(409, "Conflict"));
        }
        let after = read(plan, definition);
        // Not the revision: on a busy server a controller may still be at work.
        plan.check("unchanged", ASSERTS, after, same_at("/spec", before));
        plan.check("not-deleted", ASSERTS, after, absent("/metadata/deletionTimestamp"));
        plan.check("not-terminating", ASSERTS, after, condition("Terminating", None));
        plan.check("form", ASSERTS, after, NamedCheck::Conditions);
        let object = plan.get(created);
        plan.check("object-unchanged", ASSERTS, object, Expectation::same_revision(created));
    });
    if choices.chance(1, 4) {
        let missing = plan.uninstalled();
        let deleted = plan.send(Request::delete(Resource::Definition { definition: missing }));
        plan.check("no-such-definition", &["REST-049"], deleted, refused_as(404, "NotFound"));
    }
}
