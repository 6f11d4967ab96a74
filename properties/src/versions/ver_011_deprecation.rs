//! VER-011 and VER-012: every answer at a deprecated version has the correct warning, and no other answer does.

use crdible_generators::versions::{VersionMix, version_list};

use super::shared::{highest_above, own};
use crate::prelude::*;
use crate::shared::{definitions::patch, texts};

pub(super) const PROPERTY: Property = Property::new("ver-011-deprecation", plan)
    .title("every answer at a deprecated version has the deprecation warning")
    .asserts(&["VER-009/e1", "VER-011", "VER-011/e1", "VER-012", "VER-012/e1", "VER-013", "INV-046", "INV-046/e1"])
    .needs(&[Capability::Serving, Capability::Validation])
    .edges(&[
        Edge { name: "equal-rank", plan: equal_rank },
        Edge { name: "other-names", plan: other_names },
        Edge { name: "lower-or-unserved", plan: lower_or_unserved },
    ]);

/// How a definition declares a version.
struct Entry {
    name: String,
    served: bool,
    deprecated: bool,
    text: Option<&'static str>,
}

const TEXTS: [&str; 5] = ["gone soon", "say \"no\"", "back\\slash", "a, b; c", "übermorgen"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let names = version_list(choices, &VersionMix { max: 5, ..VersionMix::default() });
    let entries: Vec<Entry> = names
        .into_iter()
        .enumerate()
        .map(|(at, name)| {
            choices.keyed(&at.to_string(), |choices| {
                // The first is deprecated and served, so that the scenario can wait for its warning.
                let (deprecated, served) = (at == 0 || choices.chance(1, 3), at == 0 || !choices.chance(1, 4));
                let text = (deprecated && choices.chance(1, 3)).then(|| *choices.pick(&TEXTS));
                Entry { name, served, deprecated, text }
            })
        })
        .collect();
    scenario(plan, &entries)
}

fn scenario(plan: &mut Plan, entries: &[Entry]) {
    let schema = spec_of(json!({}));
    let listed: Vec<Version> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| Version::named(&entry.name, schema.clone()).served_if(entry.served).stored_if(at == 0))
        .collect();
    let definition = own(plan, listed);
    let Some(first) = entries.first() else { return };
    let created = plan.create_at(definition, &first.name, json!({ "spec": {} }));
    let mut operations: Vec<Value> = Vec::new();
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.deprecated) {
        operations.push(json!({ "op": "add", "path": format!("/spec/versions/{at}/deprecated"), "value": true }));
        if let Some(text) = entry.text {
            let path = format!("/spec/versions/{at}/deprecationWarning");
            operations.push(json!({ "op": "add", "path": path, "value": text }));
        }
    }
    let deprecated = patch(plan, definition, json!(operations));
    plan.assume(deprecated, Expectation::Accepted);
    let candidates: Vec<&str> =
        entries.iter().filter(|entry| entry.served && !entry.deprecated).map(|entry| entry.name.as_str()).collect();
    let missing = plan.next_object();
    for entry in entries {
        let expected = expected_warning(entry, &candidates);
        for (verb, request) in requests(plan, created, missing, &entry.name) {
            let asserts = asserts(entry, verb);
            let step = plan.send(request);
            // Behind a load balancer, each server sees the change at a different time.
            plan.repeat_until(step, deprecation(expected.as_deref()));
            plan.check(verb, &asserts, step, deprecation(expected.as_deref()));
        }
        plan.count_case();
    }
    for resource in [Resource::Group { definition }, Resource::GroupVersion { definition, version: first.name.clone() }]
    {
        let discovery = plan.read(resource);
        plan.check("discovery", &["VER-011/e1"], discovery, deprecation(None));
    }
}

/// Of all texts that the definitions here can cause, exactly this one is in the warnings, once; the server may add
/// other warnings.
fn deprecation(text: Option<&str>) -> NamedCheck {
    NamedCheck::Deprecation { text: text.map(str::to_owned), others: texts(&TEXTS) }
}

/// The warning text that every answer must have.
fn expected_warning(entry: &Entry, candidates: &[&str]) -> Option<String> {
    if !entry.deprecated || !entry.served {
        return None;
    }
    if let Some(text) = entry.text {
        return Some(text.to_owned());
    }
    let advice = highest_above(candidates, &entry.name).map(|best| format!("; use $group/{best} Thing"));
    Some(format!("$group/{} Thing is deprecated{}", entry.name, advice.unwrap_or_default()))
}

/// Requests that are answered with 404 or 422.
const REFUSED: [&str; 4] = ["missing", "invalid", "merge-patch-missing", "delete-missing"];

fn asserts(entry: &Entry, verb: &str) -> Vec<&'static str> {
    let mut asserts = match (entry.deprecated, entry.served, entry.text) {
        (true, false, _) => vec!["VER-009/e1"],
        (true, true, Some(_)) => vec!["VER-011", "VER-011/e1", "VER-012", "INV-046"],
        (true, true, None) => vec!["VER-011", "VER-011/e1", "VER-012", "VER-012/e1", "INV-046"],
        (false, ..) => vec!["VER-011", "INV-046"],
    };
    if entry.served && entry.text.is_some_and(|text| text.contains(['"', '\\'])) {
        asserts.push("VER-013");
    }
    if entry.served && REFUSED.contains(&verb) {
        asserts.push("INV-046/e1");
    }
    asserts
}

/// Requests that return 200, 201, 400, 404, 409 and 422 if the version is served. Nothing is written.
fn requests(plan: &Plan, created: StepId, unused: usize, name: &str) -> Vec<(&'static str, Request)> {
    let (definition, taken) = match plan.object_of(created) {
        Resource::Object { definition, object, .. } => (definition, object),
        _ => (0, 0),
    };
    let collection = || Resource::objects(definition, name);
    let object = || plan.object_at(created, name);
    let missing = || Resource::Object { definition, version: name.to_owned(), object: unused };
    let try_to = |method, resource, body| Request::new(method, resource, body).as_dry_run();
    let new = |object: usize, fields: Value| Body::Object {
        definition,
        version: name.to_owned(),
        object,
        fields: fields.into(),
    };
    let labels = || Body::json(json!({ "metadata": { "labels": { "l": "x" } } }));
    let odd = Request {
        query: vec![("dryRun".to_owned(), "odd".to_owned())],
        ..Request::post(collection(), new(unused, json!({ "spec": {} })))
    };
    vec![
        ("get", Request::get(object())),
        ("missing", Request::get(missing())),
        ("list", Request::get(collection())),
        ("create", try_to(Method::Post, collection(), new(unused, json!({ "spec": {} })))),
        ("again", try_to(Method::Post, collection(), new(taken, json!({ "spec": {} })))),
        ("invalid", try_to(Method::Post, collection(), new(unused, json!({ "spec": "text" })))),
        ("odd-query", odd),
        // Valid at the version where the object was written; elsewhere, a body of another version.
        ("put", try_to(Method::Put, object(), Body::Answer { step: created, edits: vec![] })),
        ("merge-patch", try_to(Method::MergePatch, object(), labels())),
        ("merge-patch-missing", try_to(Method::MergePatch, missing(), labels())),
        ("json-patch", try_to(Method::JsonPatch, object(), Body::json(json!([])))),
        ("bad-json-patch", try_to(Method::JsonPatch, object(), Body::json(json!({})))),
        ("delete", try_to(Method::Delete, object(), Body::None)),
        ("delete-missing", Request::delete(missing())),
        ("delete-all", try_to(Method::Delete, collection(), Body::None)),
    ]
}

fn entry(name: &str, served: bool, deprecated: bool) -> Entry {
    Entry { name: name.to_owned(), served, deprecated, text: None }
}

fn equal_rank(plan: &mut Plan) {
    scenario(plan, &[entry("v2", true, true), entry("v02", true, false), entry("v1", true, true)])
}

fn other_names(plan: &mut Plan) {
    scenario(plan, &[entry("bbb", true, true), entry("aaa", true, false), entry("ccc", true, false)])
}

fn lower_or_unserved(plan: &mut Plan) {
    scenario(
        plan,
        &[entry("v2", true, true), entry("v1", true, false), entry("v3", false, false), entry("v4", false, true)],
    )
}
