//! VALUE-041: valid labels, annotations, finalizers and owner references.

use crdible_semantics::{Release, release::Change};

use super::shared::JUDGING;
use crate::prelude::*;

const LIMITS: &[&str] = &["VALUE-041"];
const CORNERS: &[&str] = &["VALUE-041", "VALUE-041/e1"];

pub(super) const PROPERTY: Property = Property::new("value-041-metadata-limits", plan)
    .title("metadata beyond a limit is rejected at the field of that limit")
    .asserts(&["VALUE-041", "VALUE-041/e1", "VALUE-041/e2", "VALUE-041/e3", "VALUE-041/e4"])
    .needs(JUDGING)
    .edges(&[Edge { name: "corners", plan: corners }]);

/// A field of metadata, a value for it, and the field of its single cause, if any.
type Row = (&'static str, Value, Option<&'static str>);

fn rows(release: Release) -> Vec<Row> {
    let label = |key: &str, value: &str| json!({ key: value });
    let owner = |edits: &[(&str, Value)]| {
        let mut owner = json!({ "apiVersion": "v1", "kind": "X", "name": "a", "uid": "u" });
        for (key, value) in edits {
            owner[*key] = value.clone();
        }
        owner
    };
    let part = |indexed: &'static str, plain: &'static str| {
        Some(if release.has(Change::IndexedOwners) { indexed } else { plain })
    };
    let (labels, finalizers) = (Some("metadata.labels"), Some("metadata.finalizers"));
    let long = |count: usize| "a".repeat(count);
    vec![
        ("labels", label("a", "b"), None),
        ("labels", label("example.com/a", ""), None),
        ("labels", label("a.b_c-D", "A.b_c-9"), None),
        ("labels", label("a", &long(63)), None),
        ("labels", label(&long(63), "b"), None),
        ("labels", label("a", &long(64)), labels),
        ("labels", label("a", "-b"), labels),
        ("labels", label("a", "b c"), labels),
        ("labels", label("a", "é"), labels),
        ("labels", label(&long(64), "b"), labels),
        ("labels", label("-a", "b"), labels),
        ("labels", label("a/b/c", "b"), labels),
        ("annotations", label("a", &long(1000)), None),
        ("annotations", label("Example.com/a", "é\n"), None),
        ("annotations", label("a b", "x"), Some("metadata.annotations")),
        ("annotations", label("a/b/c", "x"), Some("metadata.annotations")),
        ("finalizers", json!(["example.com/a"]), None),
        ("finalizers", json!(["example.com/a", "example.com/a b"]), finalizers),
        ("finalizers", json!(["orphan", "foregroundDeletion"]), finalizers),
        ("ownerReferences", json!([owner(&[])]), None),
        (
            "ownerReferences",
            json!([owner(&[("controller", json!(true))]), owner(&[("controller", json!(false))])]),
            None,
        ),
        (
            "ownerReferences",
            json!([owner(&[("uid", json!(""))])]),
            part("metadata.ownerReferences[0].uid", "metadata.ownerReferences.uid"),
        ),
        (
            "ownerReferences",
            json!([owner(&[("name", json!(""))])]),
            part("metadata.ownerReferences[0].name", "metadata.ownerReferences.name"),
        ),
        (
            "ownerReferences",
            json!([owner(&[("kind", json!(""))])]),
            part("metadata.ownerReferences[0].kind", "metadata.ownerReferences.kind"),
        ),
        (
            "ownerReferences",
            json!([owner(&[("controller", json!(true))]), owner(&[("uid", json!("v")), ("controller", json!(true))])]),
            Some("metadata.ownerReferences"),
        ),
    ]
}

/// A part of an owner reference that is missing is `Required` where its index is named.
fn reason(field: &str) -> &'static str {
    if field.starts_with("metadata.ownerReferences[0].") { "Required" } else { "Invalid" }
}

/// What a cause about one part of an owner reference asserts.
fn owners(field: &str) -> Option<&'static [&'static str]> {
    match field.strip_prefix("metadata.ownerReferences")? {
        "" => None,
        rest if rest.starts_with('[') => Some(&["VALUE-041", "VALUE-041/e2"]),
        _ => Some(&["VALUE-041", "VALUE-041/e3"]),
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(spec_of(json!({})));
    let rows = rows(choices.release());
    plan.cases(choices, "object", |plan, choices| {
        let (mut metadata, mut causes) = (Map::new(), Vec::new());
        choices.many_average("field", 1, 3, 1, |choices, _| {
            let (name, value, field) = choices.pick(&rows).clone();
            if !metadata.contains_key(name) {
                metadata.insert(name.to_owned(), value);
                causes.extend(field.map(|field| Cause::new(field, reason(field))));
            }
        });
        let created = plan.try_create(definition, json!({ "metadata": metadata, "spec": {} }));
        if causes.is_empty() {
            for (name, value) in metadata {
                plan.check("kept", LIMITS, created, at(format!("/metadata/{name}"), value));
            }
        } else {
            let asserts = causes.iter().find_map(|cause| owners(&cause.field)).unwrap_or(LIMITS);
            plan.check_causes("limits", asserts, created, causes);
        }
    });
}

fn corners(plan: &mut Plan) {
    let definition = plan.define_schema(spec_of(json!({})));
    let create = |plan: &mut Plan, metadata: Value| plan.try_create(definition, json!({ "metadata": metadata }));
    // The limit counts bytes of keys and values.
    let exactly = |bytes: usize| {
        let wide = "é".repeat(1000);
        json!({ "annotations": { "k": wide, "l": "x".repeat(bytes - wide.len() - 2) } })
    };
    let most = create(plan, exactly(262_144));
    plan.check("largest", CORNERS, most, Expectation::Accepted);
    let more = create(plan, exactly(262_145));
    plan.check_causes("too-large", CORNERS, more, vec![Cause::new("metadata.annotations", "TooLong")]);
    for metadata in [
        json!({ "labels": { "a": 1 } }),
        json!({ "name": 5 }),
        json!({ "finalizers": "x" }),
        json!({ "creationTimestamp": "yesterday" }),
    ] {
        let wrong = create(plan, metadata);
        plan.check("wrong-kind", CORNERS, wrong, Expectation::BadRequest);
    }
    for (field, metadata) in [
        ("metadata.finalizers", json!({ "finalizers": ["a b", "a b"] })),
        ("metadata.labels", json!({ "labels": { "a": "x y", "b": "x y" } })),
    ] {
        let identical = create(plan, metadata);
        plan.check_causes("identical", &["VALUE-041/e4"], identical, vec![Cause::new(field, "Invalid")]);
    }
    let ignored = create(plan, json!({ "uid": "mine", "generation": 7, "deletionTimestamp": "2020-01-01T00:00:00Z" }));
    plan.check("ignored", CORNERS, ignored, Expectation::Accepted);
    plan.check("ignored", CORNERS, ignored, at("/metadata/generation", 1));
    plan.check("ignored", CORNERS, ignored, absent("/metadata/deletionTimestamp"));
    plan.count_case();
}
