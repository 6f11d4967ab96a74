//! Finalizers and owner references in writes (REST-070): which are refused, and which are dropped.

use super::thing::{Thing, create_of};
use crate::prelude::*;

const EQUAL: &[&str] = &["REST-070", "REST-070/e1"];

/// No qualified names.
const UNQUALIFIED: [&str; 12] = [
    "",
    " ",
    "a b",
    "/a",
    "a/",
    "a/b/c",
    "-a",
    "a_",
    "example.com/-a",
    "Example.com/a",
    "example..com/a",
    "a-name-of-more-than-sixty-three-characters-is-no-name-of-anything",
];

/// Some finalizers, of which one has no qualified name.
pub(super) fn unqualified(choices: &mut Choices) -> Value {
    let name = *choices.pick(&UNQUALIFIED);
    if choices.chance(1, 2) { json!([name]) } else { json!(["example.com/a", name]) }
}

/// Some owner references, of which most are equal or nearly so; and what is kept of them.
fn owners(choices: &mut Choices) -> (Vec<Value>, Vec<Value>) {
    let mut kept = Vec::new();
    let sent = choices.many_average("owner", 1, 6, 3, |choices, _| {
        let mut owner = json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "u" });
        let (field, value) = choices
            .pick(&[
                ("name", json!("a")),
                ("name", json!("b")),
                ("uid", json!("v")),
                ("kind", json!("Secret")),
                ("apiVersion", json!("v2")),
                ("controller", json!(false)),
                ("blockOwnerDeletion", json!(false)),
            ])
            .clone();
        owner[field] = value;
        if !kept.contains(&owner) {
            kept.push(owner.clone());
        }
        owner
    });
    (sent, kept)
}

/// A create with owners. It is a dry run, since a garbage collector removes what has no owner that exists.
pub(super) fn try_create(choices: &mut Choices, plan: &mut Plan, definition: usize) {
    let (sent, kept) = owners(choices);
    let fields = json!({ "metadata": { "ownerReferences": sent }, "spec": { "o": {} } });
    let number = plan.next_object();
    let tried = plan.send(create_of(definition, number, fields).as_dry_run());
    plan.check("owners", EQUAL, tried, at("/metadata/ownerReferences", kept));
}

/// An update or a patch with owners, of an object that has none. It is a dry run, too.
pub(super) fn try_write(choices: &mut Choices, thing: &mut Thing<'_>, read: StepId) {
    let (sent, kept) = owners(choices);
    let pointer = "/metadata/ownerReferences";
    let (method, body) = match choices.draw(2) {
        0 => (Method::Put, Body::Answer { step: read, edits: vec![Edit::Set(pointer.to_owned(), json!(sent))] }),
        1 => (Method::MergePatch, Body::json(json!({ "metadata": { "ownerReferences": sent } }))),
        _ => (Method::JsonPatch, Body::json(json!([{ "op": "add", "path": pointer, "value": sent }]))),
    };
    let tried = thing.plan.send(Request::new(method, thing.resource(), body).as_dry_run());
    thing.plan.check("owners", EQUAL, tried, at(pointer, kept));
}
