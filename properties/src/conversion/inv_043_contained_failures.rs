//! INV-043, CONV-021, CONV-024: while a webhook fails, requests at the storage version work as ever, and others fail
//! and change nothing.

use crdible_generators::conversion::ConversionShape;
use crdible_webhooks::{Behaviour, Converter, Transport};

use super::{
    behaviours::failed,
    shared::{Converted, webhook_failure},
};
use crate::prelude::*;
use crate::shared::unchanged;

pub(super) const PROPERTY: Property = Property::new("inv-043-contained-failures", plan)
    .title("while a webhook fails, requests at versions other than the stored one fail and change nothing")
    .asserts(&["INV-043", "CONV-012", "CONV-021", "CONV-024", "CONV-003/e1"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

/// How the webhook fails, and the words that clients see.
fn failures() -> Vec<(Behaviour, Vec<&'static str>)> {
    let transport = |transport| Behaviour { transport, ..Behaviour::default() };
    vec![
        (failed(Some("out of order")), vec!["failed: out of order"]),
        (failed(None), vec!["failed:", "'Failed'"]),
        (transport(Transport::Closed), vec!["failed:"]),
        (transport(Transport::Status { code: 500, headers: vec![], body: Some("broken".into()) }), vec!["failed:"]),
    ]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let converted = Converted::draw(plan, choices, &shape);
    let right = Converter::right(converted.conversion.chain.clone());
    let storage = converted.storage;
    let first = converted.conversion.object(choices);
    let created = converted.create(plan, &first, storage);
    let (behaviour, words) = choices.pick(&failures()).clone();
    let other = converted.pick_other(choices);
    let read_before = plan.get_at(created, converted.name(other));
    plan.convert(converted.definition, right.clone().with(behaviour));

    let failure = |from: usize, words: &[&str]| webhook_failure(converted.name(from), words);
    let mut missing = Vec::new();
    plan.case_parts(choices, "request", |plan, choices| {
        let object = converted.conversion.object(choices);
        match choices.draw(7) {
            0 => {
                let read = plan.get_at(created, converted.name(other));
                plan.check("read", &["INV-043", "CONV-012", "CONV-021"], read, failure(storage, &words));
            }
            1 => {
                let sent = converted.create(plan, &object, other);
                plan.check("create", &["INV-043", "CONV-021"], sent, failure(other, &words));
                missing.push(sent);
            }
            2 => {
                let spec = converted.conversion.seen(&object, other)["spec"].clone();
                let sent = plan.put_back(read_before, vec![Edit::Set("/spec".into(), spec)]);
                // The old object may come converted from a cache; then the new one fails.
                plan.check("update", &["INV-043", "CONV-021"], sent, webhook_failure("", &words));
            }
            3 => {
                let method = *choices.pick(&[Method::MergePatch, Method::JsonPatch]);
                let empty = if method == Method::JsonPatch { json!([]) } else { json!({}) };
                let resource = plan.object_at(created, converted.name(other));
                let sent = plan.send(Request::new(method, resource, Body::json(empty)));
                plan.check("empty-patch", &["INV-043", "CONV-021", "CONV-003/e1"], sent, webhook_failure("", &words));
            }
            4 => {
                let resource = plan.object_at(created, converted.name(other));
                let sent = plan.send(Request::delete(resource));
                plan.check("delete", &["INV-043", "CONV-024"], sent, failure(storage, &words));
            }
            5 => {
                let sent = converted.create(plan, &object, storage);
                let expected = Expectation::Content(converted.conversion.seen(&object, storage));
                plan.check("create-stored", &["INV-043", "CONV-024"], sent, expected);
            }
            6 => {
                let object = plan.next_object();
                let name = converted.name(other).to_owned();
                let resource = Resource::Object { definition: converted.definition, version: name, object };
                let sent = plan.read(resource);
                plan.check("no-such-object", &["INV-043", "CONV-003/e1"], sent, Expectation::Status(404));
            }
            _ => {
                let invalid: Value = json!({ "spec": "text" });
                let sent = plan.create_at(converted.definition, converted.name(other), invalid);
                plan.check("invalid", &["INV-043", "CONV-021"], sent, Expectation::Status(422));
            }
        }
    });
    let stored = plan.get_at(created, converted.name(storage));
    let as_before = Expectation::Content(converted.conversion.seen(&first, storage));
    plan.check("stored", &["INV-043"], stored, as_before);
    unchanged(plan, "stored", &["INV-043"], stored, created);
    plan.convert(converted.definition, right);
    let mended = plan.get_at(created, converted.name(other));
    let as_before = Expectation::Content(converted.conversion.seen(&first, other));
    plan.check("mended", &["INV-043"], mended, as_before);
    for sent in missing {
        not_stored(plan, sent, converted.name(storage));
    }
}

fn not_stored(plan: &mut Plan, sent: StepId, version: &str) {
    let read = plan.get_at(sent, version);
    plan.check("not-stored", &["INV-043", "CONV-021"], read, Expectation::Status(404));
}
