//! What a target can do with objects.

use crdible_webhooks::{Chain, Converter, Place, Reshape, Step};
use serde_json::{Map, Value, json};

use crate::{
    plans::{
        definitions,
        schema::{RULES, object_of, spec_of},
        watch::{Events, Happened, watch_once},
    },
    scenario::{
        Body, Definition, Edit, Expectation, Form, Head, Method, NamedCheck, Plan, Request, Resource, Scope, StepId,
        Version, Webhook,
    },
};

/// A schema with one node of each kind.
fn schema() -> Value {
    spec_of(json!({
        "a": { "type": "integer", "maximum": 9 },
        "b": { "type": "string", "default": "filled" },
        "c": { "type": "string", "enum": ["red", "green"] },
        "d": { "type": "string", "pattern": "^[a-z]+$", "maxLength": 3 },
        "e": { "type": "object", "required": ["f"], "properties": { "f": { "type": "string" } } },
    }))
}

fn small(plan: &mut Plan) -> usize {
    plan.define_schema(schema())
}

fn on_small_schema(plan: &mut Plan, fields: Value, check: impl FnOnce(&mut Plan, StepId)) {
    let definition = small(plan);
    let created = plan.try_create(definition, fields);
    check(plan, created);
}

/// Invalid values of `spec`, each with what is wrong with it, and the requirement by which it is rejected.
fn invalid() -> Vec<(Value, &'static str, &'static str)> {
    vec![
        (json!({ "a": "text" }), "with a text for a number", "VALUE-001"),
        (json!({ "c": "blue" }), "with a value that enum does not list", "VALUE-018"),
        (json!({ "e": {} }), "without a required key", "VALUE-021"),
        (json!({ "a": 10 }), "with a number above maximum", "VALUE-007"),
        (json!({ "d": "A" }), "with a text that pattern does not match", "VALUE-012"),
        (json!({ "d": "long" }), "with a text that is too long", "VALUE-011"),
    ]
}

pub(super) fn in_namespace(plan: &mut Plan) {
    let definition = plan.define(Definition::of_schema(schema()).namespaced());
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    plan.check("capability", &["REST-001"], created, Expectation::Accepted);
    let read = plan.get(created);
    plan.check("read", &["REST-001"], read, Expectation::Accepted);
}

pub(super) fn namespaces(plan: &mut Plan) {
    let definition = plan.define(Definition { scope: Scope::Namespaced, ..Definition::of_schema(schema()) });
    let body = Body::Object {
        definition,
        version: "v1".to_owned(),
        object: plan.next_object(),
        fields: json!({ "spec": { "a": 1 } }).into(),
    };
    let path = "/apis/$group/v1/namespaces/$elsewhere/$plural".to_owned();
    let created = plan.send(Request::post(Resource::Path { definition, path }, body));
    plan.check("capability", &["REST-001"], created, Expectation::Accepted);
}

pub(super) fn serving(plan: &mut Plan) {
    let definition = small(plan);
    let created = plan.create(definition, json!({ "spec": { "a": 1, "b": "given" } }));
    plan.check("capability", &["VER-008"], created, Expectation::Accepted);
}

/// A dry run stores nothing, and ends like the request for real: a target may answer it without validating, pruning or
/// defaulting anything, and then no dry run shows what it does with objects. On a definition of its own: what a target
/// stores although it should not must not be found by others.
pub(super) fn object_dry_run(plan: &mut Plan) {
    let definition = plan.define(Definition::of_schema(schema()).owned());
    let created = plan.try_create(definition, json!({ "spec": { "a": 1, "b": "given" } }));
    plan.check("capability", &["REST-058"], created, Expectation::Accepted);
    let read = plan.get(created);
    plan.check("nothing-stored", &["REST-058"], read, Expectation::Status(404));
    // What is invalid, what is not declared, and what has a default: each for real, and then as a dry run.
    for spec in [json!({ "a": "text" }), json!({ "c": "blue" }), json!({ "a": 1, "unknown": 2 }), json!({ "a": 1 })] {
        let fields = json!({ "spec": spec });
        let created = plan.create(definition, fields.clone());
        let tried = plan.try_create(definition, fields);
        plan.check("as-for-real", &["REST-058"], tried, Expectation::same_outcome(created));
    }
    let kept = plan.create(definition, json!({ "spec": { "a": 1, "b": "given" } }));
    for spec in [json!({ "a": "text" }), json!({ "unknown": 2, "b": null })] {
        let patch = json!({ "spec": spec });
        let patched = plan.patch(kept, Method::MergePatch, patch.clone());
        let tried = plan.try_patch(kept, Method::MergePatch, patch);
        plan.check("as-for-real", &["REST-058"], tried, Expectation::same_outcome(patched));
    }
}

pub(super) fn pruning(plan: &mut Plan) {
    on_small_schema(plan, json!({ "spec": { "a": 1, "unknown": 2 } }), |plan, created| {
        let value = None;
        plan.check("capability", &["PRUNE-001"], created, Expectation::At { pointer: "/spec/unknown".into(), value });
    })
}

pub(super) fn defaulting(plan: &mut Plan) {
    on_small_schema(plan, json!({ "spec": { "a": 1 } }), |plan, created| {
        let value = Some(json!("filled"));
        plan.check("capability", &["DEFAULT-001"], created, Expectation::At { pointer: "/spec/b".into(), value });
    })
}

pub(super) fn validation(plan: &mut Plan) {
    let definition = small(plan);
    for (spec, clause, asserts) in invalid() {
        let created = plan.try_create(definition, json!({ "spec": spec }));
        plan.check("capability", &[asserts], created, NamedCheck::NotAccepted);
        plan.clause(clause);
    }
}

pub(super) fn update_validation(plan: &mut Plan) {
    let definition = small(plan);
    let mut update = |edit: fn(&mut Plan, StepId) -> StepId, asserts: &str| {
        let created = plan.create(definition, json!({ "spec": { "a": 1, "b": "given" } }));
        let updated = edit(plan, created);
        plan.check("capability", &[asserts], updated, NamedCheck::NotAccepted);
    };
    // A changed value, an added one, one that is required below an added one, and everything at once.
    update(|plan, created| plan.patch(created, Method::MergePatch, json!({ "spec": { "a": "text" } })), "VALUE-001");
    update(|plan, created| plan.patch(created, Method::MergePatch, json!({ "spec": { "c": "blue" } })), "VALUE-018");
    update(|plan, created| plan.put_back(created, vec![Edit::Set("/spec/e".into(), json!({}))]), "VALUE-021");
    update(
        |plan, created| plan.put_back(created, vec![Edit::Set("/spec".into(), json!({ "a": "text", "b": "other" }))]),
        "VALUE-001",
    );
}

/// One rule compares texts, since a server may know numbers of one kind only.
pub(super) fn rules(plan: &mut Plan) {
    let only = |rule: &str| json!([{ "rule": rule }]);
    let definition = plan.define_schema(spec_of(json!({
        "a": { "type": "integer", RULES: only("self > 1") },
        "b": { "type": "string", RULES: only("self != 'b'") },
    })));
    let created = plan.try_create(definition, json!({ "spec": { "a": 2, "b": "a" } }));
    plan.check("capability", &["CEL-027"], created, Expectation::Accepted);
    plan.clause("with what all rules allow");
    for (spec, clause) in [
        (json!({ "a": 1 }), "with a number that a rule forbids"),
        (json!({ "b": "b" }), "with a text that a rule forbids"),
    ] {
        let created = plan.try_create(definition, json!({ "spec": spec }));
        plan.check("capability", &["CEL-027"], created, NamedCheck::NotAccepted);
        plan.clause(clause);
    }
}

pub(super) fn causes(plan: &mut Plan) {
    let definition = small(plan);
    for (spec, ..) in invalid() {
        let created = plan.try_create(definition, json!({ "spec": spec }));
        plan.check("capability", &["REST-005"], created, NamedCheck::ListsCauses);
    }
}

pub(super) fn field_validation(plan: &mut Plan) {
    let definition = small(plan);
    let fields = json!({ "spec": { "a": 1, "unknown": 2 } });
    let strict = plan.try_create_validating(definition, "Strict", fields.clone());
    plan.check("capability", &["REST-052"], strict, NamedCheck::NotAccepted);
    let warned = plan.try_create_validating(definition, "Warn", fields);
    plan.check("capability", &["REST-051"], warned, Expectation::UnknownFieldWarnings(vec!["spec.unknown".into()]));
}

pub(super) fn storing(plan: &mut Plan) {
    let definition = small(plan);
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let read = plan.get(created);
    let value = Some(json!(1));
    plan.check("capability", &["REST-019"], read, Expectation::At { pointer: "/spec/a".into(), value });
}

pub(super) fn status(plan: &mut Plan) {
    let patch = json!({ "status": { "n": 2 } });
    of_subresource(plan, "status", ("SUB-001", "$kind"), json!({ "status": {} }), patch)
}

pub(super) fn scale(plan: &mut Plan) {
    let scale = json!({ "scale": { "specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n" } });
    of_subresource(plan, "scale", ("SUB-019", "Scale"), scale, json!({ "spec": { "replicas": 2 } }))
}

/// A read and a write of a subresource, which are answered with something of this kind.
fn of_subresource(plan: &mut Plan, name: &str, (asserts, kind): (&str, &str), subresources: Value, patch: Value) {
    let number = || object_of(json!({ "n": { "type": "integer" } }));
    let further = Map::from_iter([("subresources".to_owned(), subresources)]);
    let schema = object_of(json!({ "spec": number(), "status": number() }));
    let definition = plan.define_versions(vec![Version { further, ..Version::only(schema) }]);
    let created = plan.create(definition, json!({ "spec": { "n": 1 } }));
    let target = plan.object_of(created).subresource(name);
    // A server that knows nothing of subresources may answer with the object.
    let value = Some(json!(kind));
    let is_of_kind = Expectation::At { pointer: "/kind".into(), value };
    let read = plan.read(target.clone());
    plan.check("capability", &[asserts], read, is_of_kind.clone());
    let patched = plan.send(Request::merge_patch(target, patch));
    plan.check("capability", &[asserts], patched, is_of_kind);
}

pub(super) fn webhooks(plan: &mut Plan) {
    let rename = Reshape::Rename { at: Place::of(&["spec"]), from: "a".to_owned(), to: "b".to_owned() };
    let chain = Chain { versions: vec!["v1".to_owned(), "v2".to_owned()], steps: vec![vec![Step::of(rename)]] };
    let versions = definitions::two_versions(
        spec_of(json!({ "a": { "type": "integer" } })),
        spec_of(json!({ "b": { "type": "integer" } })),
    );
    let webhook = Webhook::of(Converter::right(chain));
    let definition = plan.define(Definition::with_versions(versions).converted_by(webhook));
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let read = plan.get_at(created, "v2");
    let value = Some(json!(1));
    plan.check("capability", &["CONV-002", "CONV-003"], read, Expectation::At { pointer: "/spec/b".into(), value });
}

pub(super) fn versions(plan: &mut Plan) {
    let schema = || spec_of(json!({ "a": { "type": "integer" } }));
    let definition = plan.define_versions(definitions::two_versions(schema(), schema()));
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let read = plan.get_at(created, "v2");
    let value = Some(json!(1));
    plan.check("capability", &["VER-008", "VER-019"], read, Expectation::At { pointer: "/spec/a".into(), value });
}

/// On a definition of its own: what others leave behind must not be among the events.
pub(super) fn watches(plan: &mut Plan) {
    watched(plan, &["REST-060", "REST-061"], true, |events, plan, list| events.watch_since_any(plan, list, &[]))
}

pub(super) fn plain_watches(plan: &mut Plan) {
    watched(plan, &["REST-060"], true, Events::watch_plainly)
}

pub(super) fn watch_starts(plan: &mut Plan) {
    watched(plan, &["REST-061"], false, |events, plan, list| events.watch_since_any(plan, list, &[]))
}

/// A watch from a list on, which reports the object that was created since; perhaps the one that was there before, too.
fn watched(plan: &mut Plan, asserts: &[&str], perhaps: bool, watch: impl FnOnce(&Events, &mut Plan, StepId) -> StepId) {
    let definition = plan.define(Definition::of_schema(spec_of(json!({ "a": { "type": "integer" } }))).owned());
    let before = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let list = plan.list(definition, "v1");
    let created = plan.create(definition, json!({ "spec": { "a": 2 } }));
    let mut events = Events::at("v1");
    if perhaps {
        events.push(Happened::Added, plan, before, &json!({}), json!({ "spec": { "a": 1 } }));
        events.last_is_left_open();
    }
    events.push(Happened::Added, plan, created, &json!({}), json!({ "spec": { "a": 2 } }));
    let watched = watch(&events, plan, list);
    plan.check("capability", asserts, watched, events.expectation());
}

/// How long a watch of one second may take on a busy server.
const LONG: u32 = 20;

pub(super) fn watch_ends(plan: &mut Plan) {
    let definition = small(plan);
    plan.create(definition, json!({ "spec": { "a": 1 } }));
    let list = plan.list(definition, "v1");
    let watched = watch_once(plan, list, &[]);
    plan.check("capability", &["REST-066"], watched, NamedCheck::Ended { seconds: LONG }.against(list));
}

pub(super) fn tables(plan: &mut Plan) {
    as_another_form(plan, "TABLE-001", ["Table", "Table"])
}

pub(super) fn partial_metadata(plan: &mut Plan) {
    as_another_form(plan, "REST-069", ["PartialObjectMetadata", "PartialObjectMetadataList"])
}

/// An object and a list, each as another kind.
fn as_another_form(plan: &mut Plan, asserts: &str, kinds: [&str; 2]) {
    let definition = small(plan);
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let resources = [plan.object_of(created), Resource::objects(definition, "v1")];
    for (resource, kind) in resources.into_iter().zip(kinds) {
        let accept = Some(format!("application/json;as={kind};v=v1;g=meta.k8s.io"));
        let shown = plan.send(Request { accept, ..Request::get(resource) });
        let value = Some(json!(kind));
        plan.check("capability", &[asserts], shown, Expectation::At { pointer: "/kind".into(), value });
    }
}

pub(super) fn yaml(plan: &mut Plan) {
    let (definition, version) = (small(plan), "v1".to_owned());
    let head = Head { definition, version: version.clone(), object: plan.next_object(), form: Form::Yaml };
    let body = Body::Text { head: Some(head), padding: 0, text: "\nspec:\n  a: 1\n  c: red\n".to_owned() };
    let request = Request::post(Resource::Objects { definition, version }, body);
    let created = plan.send(Request { content_type: Some("application/yaml".to_owned()), ..request });
    let content = json!({ "spec": { "a": 1, "c": "red" } });
    plan.check("capability", &["REST-006"], created, NamedCheck::Contains { content });
}

pub(super) fn field_selectors(plan: &mut Plan) {
    let selectable = json!([{ "jsonPath": ".spec.a" }]);
    let further = Map::from_iter([("selectableFields".to_owned(), selectable)]);
    let version = Version { further, ..Version::only(spec_of(json!({ "a": { "type": "string" } }))) };
    // What earlier scenarios left behind must not be selected.
    let definition = plan.define(Definition::with_versions(vec![version]).owned());
    for value in ["x", "y"] {
        plan.create(definition, json!({ "spec": { "a": value } }));
    }
    let list = Resource::objects(definition, "v1");
    for (value, number) in ["x", "y"].into_iter().zip([0, 1]) {
        let query = vec![("fieldSelector".to_owned(), format!("spec.a={value}"))];
        let listed = plan.send(Request { query, ..Request::get(list.clone()) });
        let expected = NamedCheck::Lists { objects: vec![number] };
        plan.check("capability", &["FSEL-002", "FSEL-008"], listed, expected);
    }
}
