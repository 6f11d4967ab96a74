//! VER-011 and VER-012: every answer at a deprecated version says so, with the right text, and no other does.

use crdible_generators::{
    choice::Choices,
    versions::{VersionMix, version_list},
};
use serde_json::{Value, json};

use super::shared::{highest_above, object_at, own, patch, request, version};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Body, Expectation, Method, Plan, Request, Resource, Scenario, StepId, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "ver-011-deprecation",
    title: "answers at a deprecated version carry its warning, which advises the highest served version above that is not deprecated",
    asserts: &["VER-009/e1", "VER-011", "VER-011/e1", "VER-012", "VER-012/e1", "VER-013", "INV-046"],
    needs: &[Capability::Serving, Capability::Validation],
    edges: &[
        Edge { name: "equal-rank", plan: equal_rank },
        Edge { name: "other-names", plan: other_names },
        Edge { name: "lower-or-unserved", plan: lower_or_unserved },
    ],
    plan,
};

/// What a definition says of a version.
struct Entry {
    name: String,
    served: bool,
    deprecated: bool,
    text: Option<&'static str>,
}

const TEXTS: [&str; 5] = ["gone soon", "say \"no\"", "back\\slash", "a, b; c", "übermorgen"];

fn plan(choices: &mut Choices) -> Scenario {
    let names = version_list(choices, &VersionMix { max: 5, ..VersionMix::default() });
    let entries: Vec<Entry> = names
        .into_iter()
        .enumerate()
        .map(|(at, name)| {
            choices.keyed(&at.to_string(), |choices| {
                // The first is deprecated and served, so that there is something to wait for.
                let (deprecated, served) = (at == 0 || choices.chance(1, 3), at == 0 || !choices.chance(1, 4));
                let text = (deprecated && choices.chance(1, 3)).then(|| *choices.pick(&TEXTS));
                Entry { name, served, deprecated, text }
            })
        })
        .collect();
    judged(&entries)
}

fn judged(entries: &[Entry]) -> Scenario {
    let mut plan = Plan::new();
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object" } } });
    let listed: Vec<Version> =
        entries.iter().enumerate().map(|(at, entry)| version(&entry.name, entry.served, at == 0, &schema)).collect();
    let definition = own(&mut plan, listed);
    let Some(first) = entries.first() else { return plan.finish() };
    let created = plan.create_at(definition, &first.name, json!({ "spec": {} }));
    let mut operations: Vec<Value> = Vec::new();
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.deprecated) {
        operations.push(json!({ "op": "add", "path": format!("/spec/versions/{at}/deprecated"), "value": true }));
        if let Some(text) = entry.text {
            let path = format!("/spec/versions/{at}/deprecationWarning");
            operations.push(json!({ "op": "add", "path": path, "value": text }));
        }
    }
    let deprecated =
        plan.send(request(Method::JsonPatch, Resource::Definition { definition }, patch(json!(operations))));
    plan.assume(deprecated, Expectation::Accepted);
    let candidates: Vec<&str> =
        entries.iter().filter(|entry| entry.served && !entry.deprecated).map(|entry| entry.name.as_str()).collect();
    for entry in entries {
        let due = due(entry, &candidates);
        let asserts = asserts(entry);
        for (verb, request) in requests(&plan, definition, created, &entry.name) {
            let step = plan.send(request);
            // Behind several servers each learns of it in its own time.
            plan.repeat_until(step, deprecation(due.as_deref()));
            plan.check(verb, &asserts, step, deprecation(due.as_deref()));
        }
        plan.count_case();
    }
    for resource in [Resource::Group { definition }, Resource::GroupVersion { definition, version: first.name.clone() }]
    {
        let discovery = plan.read(resource);
        plan.check("discovery", &["VER-011/e1"], discovery, deprecation(None));
    }
    plan.finish()
}

/// Of all texts that a definition here may bring about, exactly this one is told, once; other warnings are the server's affair.
fn deprecation(text: Option<&str>) -> Expectation {
    Expectation::Named { check: "deprecation@1".into(), of: None, arguments: json!({ "text": text, "others": TEXTS }) }
}

/// The text that must come with every answer.
fn due(entry: &Entry, candidates: &[&str]) -> Option<String> {
    if !entry.deprecated || !entry.served {
        return None;
    }
    if let Some(text) = entry.text {
        return Some(text.to_owned());
    }
    let advice = highest_above(candidates, &entry.name).map(|best| format!("; use $group/{best} Thing"));
    Some(format!("$group/{} Thing is deprecated{}", entry.name, advice.unwrap_or_default()))
}

fn asserts(entry: &Entry) -> Vec<&'static str> {
    let mut asserts = match (entry.deprecated, entry.served, entry.text) {
        (true, false, _) => vec!["VER-009/e1"],
        (true, true, Some(_)) => vec!["VER-011", "VER-011/e1", "VER-012", "INV-046"],
        (true, true, None) => vec!["VER-011", "VER-011/e1", "VER-012", "VER-012/e1", "INV-046"],
        (false, ..) => vec!["VER-011", "INV-046"],
    };
    if entry.served && entry.text.is_some_and(|text| text.contains(['"', '\\'])) {
        asserts.push("VER-013");
    }
    asserts
}

/// Answered with 200, 201, 400, 404, 409 and 422 where the version is served. Nothing is written.
fn requests(plan: &Plan, definition: usize, created: StepId, name: &str) -> Vec<(&'static str, Request)> {
    let collection = || Resource::Objects { definition, version: name.to_owned() };
    let object = || object_at(plan, created, name);
    let missing = || Resource::Object { definition, version: name.to_owned(), object: 7 };
    let try_to = |method, resource, body| Request { dry_run: true, ..request(method, resource, body) };
    let new = |object: usize, fields: Value| Body::Object {
        definition,
        version: name.to_owned(),
        object,
        fields: fields.into(),
    };
    let labels = || patch(json!({ "metadata": { "labels": { "l": "x" } } }));
    let taken = match object() {
        Resource::Object { object, .. } => object,
        _ => 0,
    };
    let odd = Request {
        query: vec![("dryRun".to_owned(), "odd".to_owned())],
        ..request(Method::Post, collection(), new(7, json!({ "spec": {} })))
    };
    vec![
        ("get", request(Method::Get, object(), Body::None)),
        ("missing", request(Method::Get, missing(), Body::None)),
        ("list", request(Method::Get, collection(), Body::None)),
        ("create", try_to(Method::Post, collection(), new(7, json!({ "spec": {} })))),
        ("again", try_to(Method::Post, collection(), new(taken, json!({ "spec": {} })))),
        ("invalid", try_to(Method::Post, collection(), new(7, json!({ "spec": "text" })))),
        ("odd-query", odd),
        // Right at the version where it was written, and a body of another version elsewhere.
        ("put", try_to(Method::Put, object(), Body::Answer { step: created, edits: vec![] })),
        ("merge-patch", try_to(Method::MergePatch, object(), labels())),
        ("merge-patch-missing", try_to(Method::MergePatch, missing(), labels())),
        ("json-patch", try_to(Method::JsonPatch, object(), patch(json!([])))),
        ("bad-json-patch", try_to(Method::JsonPatch, object(), patch(json!({})))),
        ("delete", try_to(Method::Delete, object(), Body::None)),
        ("delete-missing", request(Method::Delete, missing(), Body::None)),
        ("delete-all", try_to(Method::Delete, collection(), Body::None)),
    ]
}

fn entry(name: &str, served: bool, deprecated: bool) -> Entry {
    Entry { name: name.to_owned(), served, deprecated, text: None }
}

fn equal_rank() -> Scenario {
    judged(&[entry("v2", true, true), entry("v02", true, false), entry("v1", true, true)])
}

fn other_names() -> Scenario {
    judged(&[entry("bbb", true, true), entry("aaa", true, false), entry("ccc", true, false)])
}

fn lower_or_unserved() -> Scenario {
    judged(&[entry("v2", true, true), entry("v1", true, false), entry("v3", false, false), entry("v4", false, true)])
}
