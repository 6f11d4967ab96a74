//! PRUNE-018: an embedded object has a type and valid metadata.

use crdible_semantics::{Release, release::Change};

use super::shared::{PLACES, embedded};
use crate::prelude::*;
use crate::shared::accepted_or;

pub(super) const PROPERTY: Property = Property::new("prune-018-embedded-validation", plan)
    .title("an embedded object is rejected without apiVersion or kind, or with invalid metadata")
    .asserts(&[
        "PRUNE-018",
        "PRUNE-018/e1",
        "PRUNE-018/e3",
        "PRUNE-018/e4",
        "PRUNE-018/e5",
        "VALUE-041/e2",
        "VALUE-041/e3",
    ])
    .needs(&[Capability::Serving, Capability::Validation]);

type Case = (&'static [&'static str], fn(&mut Value), &'static [(&'static str, &'static str)]);

const WHOLE: &[&str] = &["PRUNE-018"];
const VERSIONS: &[&str] = &["PRUNE-018", "PRUNE-018/e1"];
const METADATA: &[&str] = &["PRUNE-018", "PRUNE-018/e1"];

/// An edit of a valid embedded object, and the resulting causes.
const CASES: &[Case] = &[
    (WHOLE, |_| {}, &[]),
    (WHOLE, |object| remove(object, "apiVersion"), &[(".apiVersion", "Required")]),
    (WHOLE, |object| remove(object, "kind"), &[(".kind", "Required")]),
    (WHOLE, |object| *object = json!({}), &[(".apiVersion", "Required"), (".kind", "Required")]),
    (WHOLE, |object| object["apiVersion"] = json!(""), &[(".apiVersion", "Invalid")]),
    (WHOLE, |object| object["kind"] = json!(""), &[(".kind", "Invalid")]),
    (WHOLE, |object| object["kind"] = json!("POD-9a"), &[]),
    (WHOLE, |object| object["kind"] = json!("a_b"), &[(".kind", "Invalid")]),
    (WHOLE, |object| object["kind"] = json!("-a"), &[(".kind", "Invalid")]),
    (WHOLE, |object| object["kind"] = json!("K".repeat(63)), &[]),
    (WHOLE, |object| object["kind"] = json!("K".repeat(64)), &[(".kind", "Invalid")]),
    (VERSIONS, |object| object["apiVersion"] = json!("a/b/c"), &[(".apiVersion", "Invalid")]),
    (VERSIONS, |object| object["apiVersion"] = json!("g/"), &[]),
    (VERSIONS, |object| object["apiVersion"] = json!("/"), &[]),
    (VERSIONS, |object| object["apiVersion"] = json!(" "), &[]),
    (&["PRUNE-018/e3"], |object| remove(object, "metadata"), &[]),
    (WHOLE, |object| object["metadata"]["name"] = json!(""), &[]),
    (WHOLE, |object| object["metadata"]["name"] = json!("A b:ü".repeat(100)), &[]),
    (METADATA, |object| object["metadata"]["name"] = json!("."), &[(".metadata.name", "Invalid")]),
    (METADATA, |object| object["metadata"]["name"] = json!(".."), &[(".metadata.name", "Invalid")]),
    (METADATA, |object| object["metadata"]["name"] = json!("a/b"), &[(".metadata.name", "Invalid")]),
    (METADATA, |object| object["metadata"]["name"] = json!("a%b"), &[(".metadata.name", "Invalid")]),
    (METADATA, |object| object["metadata"]["generateName"] = json!("a/"), &[(".metadata.generateName", "Invalid")]),
    (METADATA, |object| object["metadata"]["labels"] = json!({ "a b": "x" }), &[(".metadata.labels", "Invalid")]),
    (METADATA, |object| object["metadata"]["labels"] = json!({ "a": "x y" }), &[(".metadata.labels", "Invalid")]),
    (
        METADATA,
        |object| object["metadata"]["annotations"] = json!({ "-": "x" }),
        &[(".metadata.annotations", "Invalid")],
    ),
    (METADATA, |object| object["metadata"]["namespace"] = json!("a.b"), &[(".metadata.namespace", "Invalid")]),
    (METADATA, |object| object["metadata"]["finalizers"] = json!(["a b/c"]), &[(".metadata.finalizers", "Invalid")]),
    (METADATA, |object| object["metadata"]["generation"] = json!(-1), &[(".metadata.generation", "Invalid")]),
];

/// The cases whose causes differ by release.
fn younger(release: Release) -> [Case; 3] {
    let owner: Case = if release.has(Change::IndexedOwners) {
        (&["PRUNE-018", "VALUE-041/e2"], own, &[(".metadata.ownerReferences[0].uid", "Required")])
    } else {
        (&["PRUNE-018", "VALUE-041/e3"], own, &[(".metadata.ownerReferences.uid", "Invalid")])
    };
    let nothing = |object: &mut Value| object["metadata"]["managedFields"] = json!([{ "manager": "x" }]);
    let unknown = |object: &mut Value| object["metadata"]["managedFields"] = json!([{ "operation": "Delete" }]);
    if release.has(Change::ManagerOperations) {
        let asserts = &["PRUNE-018", "PRUNE-018/e4"];
        let [required, unsupported]: [&[_]; 2] = [&[(OPERATION, "Required")], &[(OPERATION, "NotSupported")]];
        [owner, (asserts, nothing, required), (asserts, unknown, unsupported)]
    } else {
        let asserts = &["PRUNE-018", "PRUNE-018/e5"];
        let invalid = &[(OPERATION, "Invalid")];
        [owner, (asserts, nothing, invalid), (asserts, unknown, invalid)]
    }
}

const OPERATION: &str = ".metadata.managedFields[0].operation";

/// Adds an owner without an ID.
fn own(object: &mut Value) {
    object["metadata"]["ownerReferences"] = json!([{ "apiVersion": "v1", "kind": "X", "name": "x", "uid": "" }]);
}

fn remove(object: &mut Value, key: &str) {
    object.as_object_mut().into_iter().for_each(|object| _ = object.remove(key));
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let definition = plan.define_schema(place.schema(embedded(choices.chance(1, 2))));
    let cases = [CASES, &younger(choices.release())].concat();
    plan.cases(choices, "case", |plan, choices| {
        let (asserts, edit, causes) = choices.pick(&cases);
        let mut object = json!({ "apiVersion": "v1", "kind": "X", "metadata": { "name": "x" } });
        edit(&mut object);
        let created = plan.try_create(definition, place.content(&object));
        let causes = place.causes(causes.iter().copied());
        plan.check("embedded", asserts, created, accepted_or(causes));
    });
}
