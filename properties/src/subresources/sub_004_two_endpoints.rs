//! SUB-001..010, INV-065: writes of the whole object and of its status, in any order.

use super::object::{Asserts, Endpoint, Object, Said, Write, schema, status, with_status};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("sub-004-two-endpoints", plan)
    .title("/status changes only the status of an object, and the main endpoint only the rest")
    .asserts(&[
        "INV-065",
        "SUB-001",
        "SUB-002",
        "SUB-003",
        "SUB-004",
        "SUB-004/e1",
        "SUB-005",
        "SUB-005/e1",
        "SUB-006",
        "SUB-007",
        "SUB-008",
        "SUB-009",
        "SUB-009/e1",
        "SUB-010",
    ])
    .needs(&[Capability::Storing, Capability::Status]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define(Definition::with_versions(vec![with_status(Version::only(schema()))]));
    plan.case_parts(choices, "object", |plan, choices| {
        let labels = json!({ "l": "x" });
        let content = json!({ "spec": { "a": 0 }, "beside": "x" });
        let mut fields = content.clone();
        fields["metadata"] = json!({ "labels": labels });
        if choices.chance(1, 2) {
            fields["status"] = status(choices);
        }
        if choices.chance(1, 4) {
            fields["metadata"]["generation"] = json!(7);
        }
        let created = plan.create(definition, fields);
        plan.check("created", &["SUB-003"], created, Expectation::Content(content.clone()));
        plan.check("first-generation", &["SUB-009", "SUB-010"], created, at("/metadata/generation", 1));
        let mut object = Object { plan, created, last: created, fields: content, status: None, labels };
        choices.many_average("write", 1, 8, 3, |choices, _| {
            let endpoint = if choices.draw(1) == 0 { Endpoint::Status } else { Endpoint::Main };
            let from = if choices.draw(1) == 0 { Endpoint::Main } else { Endpoint::Status };
            if choices.chance(1, 6) {
                refused(choices, &mut object);
                return;
            }
            let write = Write::draw(choices);
            let read = match write.method {
                Method::Put => object.read("v1", from, &["SUB-001", "SUB-002"]),
                _ => object.last,
            };
            object.write(("v1", endpoint), true, &write, read, &asserts(endpoint, &write));
        });
        object.read("v1", Endpoint::Main, &["SUB-002"]);
        object.read("v1", Endpoint::Status, &["SUB-001", "SUB-002"]);
    });
}

fn asserts(endpoint: Endpoint, write: &Write) -> Asserts {
    let removes = matches!(write.status, Said::Absent | Said::Null);
    let says_more = write.field.is_some() || write.labels.is_some();
    let is_only_status = !says_more && !write.generation && write.method == Method::JsonPatch;
    match endpoint {
        Endpoint::Main => Asserts {
            content: vec!["SUB-004", "INV-065"],
            generation: if says_more { vec!["SUB-009", "SUB-009/e1"] } else { vec!["SUB-009"] },
            revision: if is_only_status { vec!["SUB-004", "SUB-004/e1"] } else { vec!["SUB-004"] },
        },
        Endpoint::Status => Asserts {
            content: if removes { vec!["SUB-006"] } else { vec!["SUB-005", "INV-065"] },
            generation: vec!["SUB-008", "INV-065"],
            revision: if write.status == Said::Unchanged { vec!["SUB-005/e1", "SUB-008"] } else { vec!["SUB-008"] },
        },
    }
}

/// A write of the status that is refused: later steps find nothing changed.
fn refused(choices: &mut Choices, object: &mut Object<'_>) {
    let target = object.resource("v1", Endpoint::Status);
    let fields = status(choices);
    let kind = choices.draw(5);
    if kind == 2 {
        let patch = json!({ "metadata": { "resourceVersion": "1" }, "status": fields });
        let patched = object.plan.send(Request::merge_patch(target, patch));
        object.plan.check("stale-patch", &["SUB-007"], patched, refused_as(409, "Conflict"));
        return;
    }
    let set = |pointer: &str, text: &str| Edit::Set(pointer.to_owned(), json!(text));
    let (name, requirement, edit, expected) = match kind {
        0 => (
            "no-revision",
            "SUB-007",
            Edit::Remove("/metadata/resourceVersion".to_owned()),
            Expectation::Causes(vec![Cause::new("metadata.resourceVersion", "Invalid")]),
        ),
        1 => ("stale", "SUB-007", set("/metadata/resourceVersion", "1"), refused_as(409, "Conflict")),
        3 => ("other-name", "SUB-005/e1", set("/metadata/name", "other"), Expectation::BadRequest),
        4 => (
            "other-uid",
            "SUB-005/e1",
            set("/metadata/uid", "00000000-0000-0000-0000-000000000001"),
            refused_as(409, "Conflict"),
        ),
        _ => ("other-version", "SUB-005/e1", set("/apiVersion", "other.crdible.dev/v1"), Expectation::BadRequest),
    };
    let step: StepId = object.last;
    let body = Body::Answer { step, edits: vec![Edit::Set("/status".into(), fields), edit] };
    let sent = object.plan.send(Request::put(target, body));
    object.plan.check(name, &[requirement], sent, expected);
}
