//! What a target can do with definitions.

use serde_json::{Value, json};

use crate::{
    plans::{definitions, schema::root_of},
    scenario::{Body, Definition, Document, Edit, Expectation, NamedCheck, Plan, Request, Resource, Version},
};

pub(super) fn definitions_are_kept(plan: &mut Plan) {
    let definition = plan.uninstalled();
    let made = plan.make(definition, vec![]);
    plan.check("capability", &["REST-013"], made, Expectation::Accepted);
    let read = definitions::read(plan, definition);
    let value = Some(json!("Thing"));
    plan.check("read", &["REST-019"], read, Expectation::At { pointer: "/spec/names/kind".into(), value });
}

pub(super) fn defaults(plan: &mut Plan) {
    let definition = plan.uninstalled();
    let names = ["/spec/names/singular", "/spec/names/listKind"].map(|pointer| Edit::Remove(pointer.to_owned()));
    let made = plan.make(definition, names.into());
    for (pointer, value, asserts) in [
        ("/spec/names/singular", "thing", "CRDVAL-007"),
        ("/spec/names/listKind", "ThingList", "CRDVAL-007"),
        ("/spec/conversion/strategy", "None", "CRDVAL-008"),
    ] {
        let value = Some(json!(value));
        plan.check("capability", &[asserts], made, Expectation::At { pointer: pointer.to_owned(), value });
    }
}

/// As a dry run of an object: it creates nothing, and ends like the request for real.
pub(super) fn definition_dry_run(plan: &mut Plan) {
    let definition = plan.uninstalled();
    let defined = plan.try_define_versions(definition, vec![Version::only(json!({ "type": "object" }))]);
    plan.check("capability", &["REST-058"], defined, Expectation::Accepted);
    let read = plan.read(Resource::Definition { definition });
    plan.check("nothing-created", &["REST-058"], read, Expectation::Status(404));
    // What is invalid, what has defaults, and what is not declared: each for real, and then as a dry run.
    let (defaulted, unknown) = (["/spec/names/singular", "/spec/names/listKind"], "/spec/unknown");
    let with_defaults = defaulted.map(|pointer| Edit::Remove(pointer.to_owned()));
    for edits in [
        vec![Edit::Set("/spec/scope".into(), json!("Nowhere"))],
        with_defaults.into_iter().chain([Edit::Set(unknown.into(), json!(1))]).collect(),
    ] {
        let [made, tried] = [false, true].map(|dry_run| {
            let definition = plan.uninstalled();
            let versions = vec![Version::only(json!({ "type": "object" }))];
            let body = Body::Definition { definition, versions, edits: edits.clone() };
            let sent = plan.send(Request { dry_run, ..Request::post(Resource::Definitions, body) });
            if dry_run {
                // It also lets the run know what it must remove.
                let read = plan.read(Resource::Definition { definition });
                plan.check("nothing-created", &["REST-058"], read, Expectation::Status(404));
            }
            sent
        });
        plan.check("as-for-real", &["REST-058"], tried, Expectation::same_acceptance(made));
        for pointer in defaulted.into_iter().chain(["/spec/conversion", unknown]) {
            let same = NamedCheck::SameIfAccepted { pointer: pointer.to_owned() };
            plan.check("as-for-real", &["REST-058"], tried, same.against(made));
        }
    }
}

pub(super) fn definition_validation(plan: &mut Plan) {
    let object = || json!({ "type": "object" });
    let mut try_edited = |clause: &str, versions: Vec<Version>, edits: Vec<Edit>, asserts: &str| {
        let definition = plan.uninstalled();
        let body = Body::Definition { definition, versions, edits };
        let tried = plan.send(Request::post(Resource::Definitions, body).as_dry_run());
        plan.check("capability", &[asserts], tried, NamedCheck::NotAccepted);
        plan.clause(clause);
    };
    let set = |pointer: &str, value: Value| vec![Edit::Set(pointer.to_owned(), value)];
    let only = || vec![Version::only(object())];
    let untyped = || vec![Version::only(json!({ "type": "object", "properties": { "spec": {} } }))];
    let twice = || vec![Version::only(object()), Version::named("v1", object())];
    try_edited("without a scope", only(), vec![Edit::Remove("/spec/scope".into())], "CRDVAL-003");
    try_edited("with the scope Nowhere", only(), set("/spec/scope", json!("Nowhere")), "CRDVAL-003");
    try_edited("without a storage version", vec![Version::named("v1", object())], vec![], "CRDVAL-014");
    try_edited("with a schema node without a type", untyped(), vec![], "STRUCT-002");
    try_edited("with a version No_Name", vec![Version::named("No_Name", object()).stored()], vec![], "CRDVAL-012");
    try_edited("with a version twice", twice(), vec![], "CRDVAL-013");
}

pub(super) fn causes(plan: &mut Plan) {
    let version = || vec![Version::only(json!({ "type": "object" }))];
    for edit in [Edit::Remove("/spec/scope".into()), Edit::Set("/spec/scope".into(), json!("Nowhere"))] {
        let definition = plan.uninstalled();
        let body = Body::Definition { definition, versions: version(), edits: vec![edit] };
        let tried = plan.send(Request::post(Resource::Definitions, body).as_dry_run());
        plan.check("capability", &["REST-005"], tried, NamedCheck::ListsCauses);
    }
}

pub(super) fn definition_updates(plan: &mut Plan) {
    let definition = plan.define(Definition::of_schema(json!({ "type": "object" })).owned());
    let read = definitions::read(plan, definition);
    // Until then the server writes to it, too, and the PUT may be a conflict.
    plan.repeat_until(read, definitions::condition("Established", Some("True")));
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/description";
    let put = definitions::put(plan, definition, read, false, vec![Edit::Set(pointer.into(), json!("changed"))]);
    let value = Some(json!("changed"));
    plan.check("capability", &["REST-028"], put, Expectation::At { pointer: pointer.into(), value });
}

pub(super) fn definition_update_validation(plan: &mut Plan) {
    // One definition for each: what is accepted would be the basis of the next.
    let mut try_patched = |clause: &str, patch: Value, asserts: &str| {
        let definition = plan.define(Definition::of_schema(json!({ "type": "object" })).owned());
        let patched = definitions::merge(plan, definition, patch);
        plan.check("capability", &[asserts], patched, NamedCheck::NotAccepted);
        plan.clause(clause);
    };
    try_patched("to the scope Nowhere", json!({ "spec": { "scope": "Nowhere" } }), "CRDVAL-003");
    let version = |schema: Value| json!({ "spec": { "versions": [Version::only(schema).document()] } });
    let untyped = version(json!({ "type": "object", "properties": { "spec": {} } }));
    try_patched("to a schema node without a type", untyped, "STRUCT-002");
    try_patched(
        "to no storage version",
        json!({ "spec": { "versions": [Version::named("v1", json!({ "type": "object" })).document()] } }),
        "CRDVAL-014",
    );
}

pub(super) fn structural_schemas(plan: &mut Plan) {
    let defined = plan.try_define(json!({ "type": "object", "properties": { "spec": {} } }));
    plan.check("capability", &["STRUCT-002"], defined, NamedCheck::NotAccepted);
}

pub(super) fn conditions(plan: &mut Plan) {
    let (_, read) = definitions::established(plan, &[]);
    plan.check("capability", &["LIFE-002"], read, definitions::condition("Established", Some("True")));
}

pub(super) fn name_conflicts(plan: &mut Plan) {
    let first = plan.uninstalled();
    let second = plan.uninstalled_beside(first);
    plan.make(first, vec![]);
    let read = definitions::read(plan, first);
    plan.repeat_until(read, definitions::condition("Established", Some("True")));
    plan.make(second, vec![Edit::Set("/spec/names/kind".into(), json!("Thing"))]);
    let read = definitions::read(plan, second);
    let refused = definitions::condition("NamesAccepted", Some("False"));
    plan.repeat_until(read, refused.clone());
    plan.check("capability", &["LIFE-006"], read, refused);
}

pub(super) fn stored_versions(plan: &mut Plan) {
    let definition = plan.uninstalled();
    plan.make(definition, vec![]);
    let read = definitions::read(plan, definition);
    let value = Some(json!(["v1"]));
    plan.check(
        "capability",
        &["CRDVAL-008", "VER-017"],
        read,
        Expectation::At { pointer: "/status/storedVersions".into(), value },
    );
}

/// On a definition of its own: a server may list a group as soon as it has an object.
pub(super) fn aggregated_discovery(plan: &mut Plan) {
    let definition = plan.define(Definition::of_schema(root_of(json!({ "type": "object" }))).owned());
    let accept = Some("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList".to_owned());
    let read = plan.send(Request { accept, ..Request::get(Resource::Groups { definition }) });
    plan.repeat_until(read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.check("capability", &["DISC-011"], read, NamedCheck::AggregatedListing);
}

pub(super) fn openapi_v3(plan: &mut Plan) {
    published(plan, Document::V3("v1".to_owned()), "OAPI-001")
}

pub(super) fn openapi_v2(plan: &mut Plan) {
    published(plan, Document::V2, "OAPI-009")
}

/// A document has a model of the kind.
fn published(plan: &mut Plan, document: Document, asserts: &str) {
    let definition = plan.define(Definition::of_schema(root_of(json!({ "type": "object" }))).owned());
    let read = plan.read(Resource::Published { definition, document });
    let pointer = "/x-kubernetes-group-version-kind/0/version".to_owned();
    let has_model = NamedCheck::PublishedValue { model: "$group.v1.$kind".to_owned(), pointer, value: json!("v1") };
    plan.repeat_until(read, has_model.clone());
    plan.check("capability", &[asserts], read, has_model);
}

pub(super) fn discovery(plan: &mut Plan) {
    let definition = plan.define(Definition::of_schema(root_of(json!({ "type": "object" }))).owned());
    let read = plan.read(Resource::Group { definition });
    plan.repeat_until(read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.check("capability", &["DISC-003"], read, Expectation::GroupVersions(vec!["v1".into()]));
}
