//! SUB-013, SUB-005: finalizers and owners in writes of the status, also of an object that is being deleted.

use super::object::{schema, status, with_status};
use crate::prelude::*;
use crate::shared::{definitions::refused_as, has};

pub(super) const PROPERTY: Property = Property::new("sub-013-during-deletion", plan)
    .title("the status of an object that is being deleted can be written")
    .asserts(&["SUB-005", "SUB-008", "SUB-013", "SUB-001", "REST-013", "REST-044"])
    .needs(&[Capability::Storing, Capability::Status]);

/// The metadata that a write of the status keeps.
const FIELDS: [&str; 5] =
    ["finalizers", "ownerReferences", "annotations", "deletionTimestamp", "deletionGracePeriodSeconds"];
const FINALIZER: &str = "crdible.dev/held";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define(Definition::with_versions(vec![with_status(Version::only(schema()))]));
    plan.case_parts(choices, "object", |plan, choices| {
        let is_held = choices.draw(3) > 0;
        let mut metadata = json!({ "annotations": { "a": "x" } });
        if is_held {
            metadata["finalizers"] = json!([FINALIZER]);
        }
        let created = plan.create(definition, json!({ "spec": { "a": 1 }, "metadata": metadata }));
        for field in FIELDS {
            let value = metadata.get(field).cloned();
            let kept = Expectation::At { pointer: format!("/metadata/{field}"), value };
            plan.check("created", &["REST-013"], created, kept);
        }
        let mut life = Life { plan, created, last: created, is_deleted: false };
        choices.many("write before", usize::from(!is_held), 2, |choices, _| life.write(choices));
        if is_held {
            life.delete();
            choices.many("write", 1, 3, |choices, _| life.write(choices));
            life.release(choices);
        }
    });
}

struct Life<'a> {
    plan: &'a mut Plan,
    created: StepId,
    last: StepId,
    is_deleted: bool,
}

impl Life<'_> {
    fn status(&self) -> Resource {
        self.plan.object_of(self.created).subresource("status")
    }

    /// Writes the status, and says something else of the metadata.
    fn write(&mut self, choices: &mut Choices) {
        let owner = json!([{ "apiVersion": "v1", "kind": "Namespace", "name": "x", "uid": "1" }]);
        let (field, value) = choices
            .pick(&[
                ("finalizers", json!([])),
                ("finalizers", Value::Null),
                ("finalizers", json!(["crdible.dev/other"])),
                ("ownerReferences", owner),
                ("annotations", json!({ "a": "y", "b": "z" })),
                ("deletionTimestamp", Value::Null),
                ("deletionGracePeriodSeconds", json!(30)),
            ])
            .clone();
        let fields = status(choices);
        let (method, body) = if choices.draw(1) == 0 {
            let edits =
                vec![Edit::Set("/status".into(), fields.clone()), Edit::Set(format!("/metadata/{field}"), value)];
            (Method::Put, Body::Answer { step: self.last, edits })
        } else {
            let operation = |path: &str, value: Value| json!({ "op": "add", "path": path, "value": value });
            let patch = [operation("/status", fields.clone()), operation(&format!("/metadata/{field}"), value)];
            (Method::JsonPatch, Body::json(json!(patch)))
        };
        let target = self.status();
        let written = self.plan.send(Request::new(method, target, body));
        let asserts: &[&str] = if self.is_deleted { &["SUB-005", "SUB-013"] } else { &["SUB-005"] };
        self.plan.check(
            "written",
            asserts,
            written,
            Expectation::Content(json!({ "spec": { "a": 1 }, "status": fields })),
        );
        for field in FIELDS {
            self.plan.check("metadata", asserts, written, same_at(format!("/metadata/{field}"), self.last));
        }
        self.plan.check("generation", &["SUB-008"], written, Expectation::same_generation(self.last));
        self.last = written;
        let read = self.plan.get(self.created);
        self.plan.check("kept", asserts, read, Expectation::same_content(written));
        self.plan.check("kept-finalizers", asserts, read, same_at("/metadata/finalizers", self.created));
    }

    /// The finalizer holds the object, so the answer is the object.
    fn delete(&mut self) {
        let target = self.plan.object_of(self.created);
        self.last = self.plan.send(Request::delete(target));
        self.plan.assume(self.last, same_at("/metadata/uid", self.created));
        // What is written is compared with this answer, so it must be right itself.
        let asserts = &["REST-044"];
        self.plan.check("deletion-timestamp", asserts, self.last, has("/metadata/deletionTimestamp"));
        self.plan.check("grace", asserts, self.last, at("/metadata/deletionGracePeriodSeconds", 0));
        for field in ["finalizers", "ownerReferences", "annotations"] {
            self.plan.check(
                "kept-by-deletion",
                asserts,
                self.last,
                same_at(format!("/metadata/{field}"), self.created),
            );
        }
        self.is_deleted = true;
    }

    /// Without its finalizer the object is gone, and its status with it.
    fn release(&mut self, choices: &mut Choices) {
        let free = json!({ "metadata": { "finalizers": null } });
        let freed = self.plan.patch(self.created, Method::MergePatch, free);
        self.plan.check("released", &["SUB-013"], freed, absent("/metadata/finalizers"));
        let target = self.status();
        let patch = Body::json(json!({ "status": status(choices) }));
        let patched = self.plan.send(Request::merge_patch(target, patch));
        self.plan.check("gone", &["SUB-001"], patched, refused_as(404, "NotFound"));
    }
}
