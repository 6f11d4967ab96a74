//! VER-006, VER-007, VER-009 and VER-010: for clients, a version that is not served does not exist; when it is served
//! again, its objects are unchanged.

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ver-009-unserved", plan)
    .title("a version that is not served returns 404 for every verb")
    .asserts(&["VER-006", "VER-007", "VER-009", "VER-010", "INV-039"])
    .needs(&[Capability::Storing, Capability::Discovery])
    .edges(&[Edge { name: "none-served", plan: |plan| scenario(plan, NAMES[1], 1, &[[false; 3]]) }]);

/// The first is the storage version.
const NAMES: [&str; 3] = ["v1", "v2", "v3"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let value = choices.between(0, 9);
    let written_at = *choices.pick::<&str>(&NAMES);
    let rounds = choices.cases_up_to("round", 2, |choices, _| {
        // The storage version is not special; in one of seven rounds no version is served.
        match choices.weighted(&[2, 2, 2, 1]) {
            0 => [true, false, true],
            1 => [false, true, true],
            2 => [false, false, true],
            _ => [false; 3],
        }
    });
    scenario(plan, written_at, value, &rounds)
}

/// An object with this value, written at this version; in each round, these versions are served, and then all again.
fn scenario(plan: &mut Plan, written_at: &str, value: i64, rounds: &[[bool; 3]]) {
    let schema = spec_of(json!({ "a": { "type": "integer" } }));
    let list = |served: [bool; 3]| -> Vec<Version> {
        NAMES
            .iter()
            .zip(served)
            .enumerate()
            .map(|(at, (name, served))| Version::named(*name, schema.clone()).served_if(served).stored_if(at == 0))
            .collect()
    };
    let definition = plan.define_versions(list([true; 3]));
    let content = json!({ "spec": { "a": value } });
    let created = plan.create_at(definition, written_at, content.clone());
    for &served in rounds {
        plan.install_versions(definition, list(served));
        for (name, is_served) in NAMES.into_iter().zip(served) {
            plan.count_case();
            if is_served {
                let read = plan.get_at(created, name);
                plan.check("others-stay", &["INV-039"], read, Expectation::Content(content.clone()));
                plan.check("others-revision", &["VER-010", "INV-039"], read, Expectation::same_revision(created));
            } else {
                all_verbs(plan, definition, created, name);
            }
        }
        discovery(plan, definition, served);
        plan.install_versions(definition, list([true; 3]));
        for (name, _) in NAMES.into_iter().zip(served).filter(|(_, served)| !served) {
            let back = plan.get_at(created, name);
            plan.check("back", &["VER-010", "INV-039"], back, Expectation::Content(content.clone()));
            plan.check("back-revision", &["VER-010"], back, Expectation::same_revision(created));
        }
    }
}

/// Writes are dry runs: while routes follow the definition with a delay, no write may have an effect.
fn all_verbs(plan: &mut Plan, definition: usize, created: StepId, name: &str) {
    let object = plan.object_at(created, name);
    let collection = Resource::objects(definition, name);
    let labels = json!({ "metadata": { "labels": { "l": "x" } } });
    let fields = json!({ "spec": {} }).into();
    let body = Body::Object { definition, version: name.to_owned(), object: plan.next_object(), fields };
    let body_of_put =
        Body::Answer { step: created, edits: vec![Edit::Set("/metadata/labels".into(), json!({ "l": "x" }))] };
    let write = |method, resource, body| Request::new(method, resource, body).as_dry_run();
    let requests = [
        ("get", Request::get(object.clone())),
        ("list", Request::get(collection.clone())),
        ("create", write(Method::Post, collection.clone(), body)),
        ("put", write(Method::Put, object.clone(), body_of_put)),
        ("merge-patch", write(Method::MergePatch, object.clone(), Body::json(labels))),
        ("json-patch", write(Method::JsonPatch, object.clone(), Body::json(json!([])))),
        ("delete", write(Method::Delete, object, Body::None)),
        ("delete-all", write(Method::Delete, collection, Body::None)),
    ];
    for (verb, request) in requests {
        let step = plan.send(request);
        plan.repeat_until(step, Expectation::Status(404));
        plan.check(verb, &["VER-009", "INV-039"], step, Expectation::Status(404));
    }
}

fn discovery(plan: &mut Plan, definition: usize, served: [bool; 3]) {
    let names: Vec<String> =
        NAMES.iter().zip(served).filter(|(_, served)| *served).map(|(name, _)| (*name).to_owned()).collect();
    let group = plan.read(Resource::Group { definition });
    let listed = if names.is_empty() { Expectation::Status(404) } else { Expectation::GroupVersions(names.clone()) };
    plan.repeat_until(group, listed.clone());
    plan.check("group", &["VER-006", "INV-039"], group, listed);
    if !names.is_empty() {
        let groups = plan.read(Resource::Groups { definition });
        let listed = Expectation::GroupVersions(names);
        plan.repeat_until(groups, listed.clone());
        plan.check("groups", &["VER-006", "INV-039"], groups, listed);
    }
    for (name, is_served) in NAMES.into_iter().zip(served) {
        let resources = plan.read(Resource::GroupVersion { definition, version: name.to_owned() });
        let listed = if is_served { at("/resources/0/name", "things") } else { Expectation::Status(404) };
        plan.repeat_until(resources, listed.clone());
        plan.check("resources", &["VER-007", "INV-039"], resources, listed);
    }
}
