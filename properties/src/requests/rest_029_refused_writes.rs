//! REST-008, REST-009, REST-029..035, REST-070: writes of an existing object that are refused.

use super::{
    owners,
    thing::{Thing, body_of, check_rejection, mistake, object, schema},
};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("rest-029-refused-writes", plan)
    .title("a PUT or patch with a wrong resourceVersion, uid, name or type is rejected and changes nothing")
    .asserts(&[
        "REST-005",
        "REST-008",
        "REST-009",
        "REST-028",
        "REST-029",
        "REST-030",
        "REST-030/e1",
        "REST-031",
        "REST-032",
        "REST-032/e1",
        "REST-034",
        "REST-035",
        "REST-035/e1",
        "REST-070",
        "REST-073",
        "INV-070",
        "INV-079",
    ])
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(schema());
    plan.case_parts(choices, "object", |plan, choices| {
        let mut thing = Thing::new(plan, definition, choices);
        let created = thing.created;
        thing.plan.assume(created, Expectation::Accepted);
        let read = thing.read(&["REST-009"]);
        let mut asserted = Vec::new();
        choices.many_average("request", 1, 6, 3, |choices, _| {
            let refusal =
                if choices.draw(1) == 0 { of_put(choices, &mut thing, read) } else { of_patch(choices, &mut thing) };
            asserted.push(refusal.asserts[0]);
            refusal.send(thing.plan);
        });
        asserted.sort_unstable();
        asserted.dedup();
        thing.read(&asserted);
    });
}

/// A request that must be refused.
struct Refusal {
    name: &'static str,
    asserts: &'static [&'static str],
    request: Request,
    /// The status code, and the reason that belongs to it; 422 with causes if there are some.
    status: u16,
    causes: Vec<Cause>,
}

impl Refusal {
    fn send(self, plan: &mut Plan) {
        let sent = plan.send(self.request);
        let expected = if self.causes.is_empty() {
            refused_as(self.status, reason(self.status))
        } else {
            Expectation::CausesInclude(self.causes)
        };
        plan.check(self.name, self.asserts, sent, expected);
        plan.clause(&mistake(self.name));
        check_rejection(plan, sent);
    }
}

/// The reason that belongs to a code (REST-073).
fn reason(status: u16) -> &'static str {
    match status {
        400 => "BadRequest",
        404 => "NotFound",
        409 => "Conflict",
        415 => "UnsupportedMediaType",
        _ => "Invalid",
    }
}

fn set(pointer: &str, value: impl Into<Value>) -> Edit {
    Edit::Set(pointer.to_owned(), value.into())
}

fn remove(pointer: &str) -> Edit {
    Edit::Remove(pointer.to_owned())
}

/// A PUT of what was read, with one mistake. What it would change otherwise must not be stored.
fn of_put(choices: &mut Choices, thing: &mut Thing<'_>, read: StepId) -> Refusal {
    let cause = |field: &str| vec![Cause::new(field, "Invalid")];
    let revision = "/metadata/resourceVersion";
    let (name, asserts, edit, status, causes): (_, &[&str], _, _, _) = match choices.draw(14) {
        0 => ("no-revision", &["REST-029"], remove(revision), 422, cause("metadata.resourceVersion")),
        1 => ("empty-revision", &["REST-029"], set(revision, ""), 422, cause("metadata.resourceVersion")),
        2 => ("revision-0", &["REST-029"], set(revision, "0"), 422, cause("metadata.resourceVersion")),
        3 => ("stale-revision", &["REST-029", "INV-070"], set(revision, "1"), 409, vec![]),
        4 => {
            let other = "00000000-0000-0000-0000-000000000001";
            ("other-uid", &["REST-030"], set("/metadata/uid", other), 409, vec![])
        }
        5 => ("other-name", &["REST-009"], set("/metadata/name", "other"), 400, vec![]),
        6 => ("no-name", &["REST-009"], remove("/metadata/name"), 400, vec![]),
        7 => ("other-version", &["REST-008"], set("/apiVersion", "other.crdible.dev/v1"), 400, vec![]),
        8 => ("no-version", &["REST-008"], remove("/apiVersion"), 400, vec![]),
        9 => ("no-kind", &["REST-008"], remove("/kind"), 400, vec![]),
        10 => ("other-kind", &["REST-008"], set("/kind", "Other"), 422, cause("kind")),
        11 => {
            let field = "metadata.deletionTimestamp";
            let value = "2001-02-03T04:05:06Z";
            (
                "deletion-timestamp",
                &["REST-031", "INV-079"],
                set("/metadata/deletionTimestamp", value),
                422,
                cause(field),
            )
        }
        12 => {
            let field = "metadata.deletionGracePeriodSeconds";
            (
                "grace-period",
                &["REST-031", "INV-079"],
                set("/metadata/deletionGracePeriodSeconds", 3),
                422,
                cause(field),
            )
        }
        13 => {
            let finalizers = set("/metadata/finalizers", owners::unqualified(choices));
            ("finalizer", &["REST-070"], finalizers, 422, cause("metadata.finalizers"))
        }
        _ => return of_missing_object(choices, thing),
    };
    let body = Body::Answer { step: read, edits: vec![set("/spec/a", 77), edit] };
    let request = Request::put(thing.resource(), body);
    Refusal { name, asserts, request, status, causes }
}

/// A write of an object that does not exist.
fn of_missing_object(choices: &mut Choices, thing: &mut Thing<'_>) -> Refusal {
    let missing = thing.plan.next_object();
    let (method, body) = match choices.draw(3) {
        0 => (Method::Put, body_of(thing.definition, missing, json!({ "spec": { "o": {} } }))),
        1 => {
            let fields = json!({ "spec": { "o": {} }, "metadata": { "resourceVersion": "1" } });
            (Method::Put, body_of(thing.definition, missing, fields))
        }
        2 => (Method::MergePatch, Body::json(json!({ "spec": { "a": 1 } }))),
        _ => (Method::JsonPatch, Body::json(json!([{ "op": "add", "path": "/spec/a", "value": 1 }]))),
    };
    let asserts: &[&str] = if method == Method::Put { &["REST-028"] } else { &["REST-035"] };
    let request = Request::new(method, object(thing.definition, missing), body);
    Refusal { name: "missing-object", asserts, request, status: 404, causes: vec![] }
}

/// A patch with one mistake. What it would change otherwise must not be stored.
fn of_patch(choices: &mut Choices, thing: &mut Thing<'_>) -> Refusal {
    let metadata = |name: &str, value: Value| json!({ "metadata": { name: value }, "spec": { "a": 77 } });
    let root = |name: &str, value: Value| json!({ name: value, "spec": { "a": 77 } });
    let cause = |field: &str| vec![Cause::new(field, "Invalid")];
    let no_revision = || cause("metadata.resourceVersion");
    let (name, asserts, patch, status, causes): (_, &[&str], _, _, _) = match choices.draw(16) {
        0 => ("stale-revision", &["REST-035"], metadata("resourceVersion", json!("1")), 409, vec![]),
        1 => ("null-revision", &["REST-035"], metadata("resourceVersion", Value::Null), 422, no_revision()),
        2 => ("empty-revision", &["REST-035"], metadata("resourceVersion", json!("")), 422, no_revision()),
        3 => ("revision-0", &["REST-035"], metadata("resourceVersion", json!("0")), 422, no_revision()),
        4 => {
            let other = json!("00000000-0000-0000-0000-000000000001");
            ("other-uid", &["REST-030/e1"], metadata("uid", other), 422, cause("metadata.uid"))
        }
        5 => ("other-name", &["REST-035/e1"], metadata("name", json!("other")), 400, vec![]),
        6 => ("no-name", &["REST-035/e1"], metadata("name", Value::Null), 400, vec![]),
        7 => {
            let other = json!("other.crdible.dev/v1");
            ("other-version", &["REST-035/e1"], root("apiVersion", other), 422, cause("apiVersion"))
        }
        8 => ("other-kind", &["REST-035/e1"], root("kind", json!("Other")), 422, cause("kind")),
        9 => ("no-kind", &["REST-035/e1"], root("kind", Value::Null), 422, cause("patch")),
        10 => ("list-as-merge-patch", &["REST-034"], json!([]), 400, vec![]),
        11 => ("number-as-merge-patch", &["REST-034"], json!(3), 400, vec![]),
        12 => ("null-as-merge-patch", &["REST-034"], Value::Null, 400, vec![]),
        13 => {
            let field = "metadata.deletionTimestamp";
            let patch = metadata("deletionTimestamp", json!("2001-02-03T04:05:06Z"));
            ("deletion-timestamp", &["REST-031"], patch, 422, cause(field))
        }
        14 => {
            let patch = metadata("finalizers", owners::unqualified(choices));
            ("finalizer", &["REST-070"], patch, 422, cause("metadata.finalizers"))
        }
        15 => return of_type(choices, thing),
        _ => return of_missing_object(choices, thing),
    };
    let request = Request::merge_patch(thing.resource(), patch);
    Refusal { name, asserts, request, status, causes }
}

/// A patch of a type that there is not for objects.
fn of_type(choices: &mut Choices, thing: &Thing<'_>) -> Refusal {
    let types = ["application/json", "application/strategic-merge-patch+json", "text/plain", "application/x-crdible"];
    let content_type = *choices.pick(&types);
    let patch = Body::json(json!({ "spec": { "a": 77 } }));
    let mut request = Request::merge_patch(thing.resource(), patch);
    request.content_type = Some(content_type.to_owned());
    let asserts: &[&str] = if content_type == "application/json" { &["REST-032/e1"] } else { &["REST-032"] };
    Refusal { name: "type-of-patch", asserts, request, status: 415, causes: vec![] }
}
