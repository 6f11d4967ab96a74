//! What a target can do with definitions.

use serde_json::{Value, json};

use crate::{
    plans::{definitions, schema::root_of},
    scenario::{
        Body, Definition, Document, Edit, Expectation, Method, NamedCheck, Plan, Request, Resource, Scenario, Version,
    },
};

pub(super) fn definitions_are_kept() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.uninstalled();
    let made = plan.make(definition, vec![]);
    plan.check("capability", &["REST-013"], made, Expectation::Accepted);
    let read = definitions::read(&mut plan, definition);
    let value = Some(json!("Thing"));
    plan.check("read", &["REST-019"], read, Expectation::At { pointer: "/spec/names/kind".into(), value });
    plan.finish()
}

pub(super) fn defaults() -> Scenario {
    let mut plan = Plan::new();
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
    plan.finish()
}

/// As a dry run of an object: it creates nothing, and ends like the request for real.
pub(super) fn definition_dry_run() -> Scenario {
    let mut plan = Plan::new();
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
            let sent = plan.send(Request { dry_run, ..Request::new(Method::Post, Resource::Definitions, body) });
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
    plan.finish()
}

pub(super) fn definition_validation() -> Scenario {
    let mut plan = Plan::new();
    let object = || json!({ "type": "object" });
    let mut try_edited = |versions: Vec<Version>, edits: Vec<Edit>, asserts: &str| {
        let definition = plan.uninstalled();
        let body = Body::Definition { definition, versions, edits };
        let tried = plan.send(Request::new(Method::Post, Resource::Definitions, body).as_dry_run());
        plan.check("capability", &[asserts], tried, NamedCheck::NotAccepted);
    };
    let set = |pointer: &str, value: Value| vec![Edit::Set(pointer.to_owned(), value)];
    try_edited(vec![Version::only(object())], vec![Edit::Remove("/spec/scope".into())], "CRDVAL-003");
    try_edited(vec![Version::only(object())], set("/spec/scope", json!("Nowhere")), "CRDVAL-003");
    try_edited(vec![Version::named("v1", object())], vec![], "CRDVAL-014");
    try_edited(vec![Version::only(json!({ "type": "object", "properties": { "spec": {} } }))], vec![], "STRUCT-002");
    try_edited(vec![Version::named("No_Name", object()).stored()], vec![], "CRDVAL-012");
    try_edited(vec![Version::only(object()), Version::named("v1", object())], vec![], "CRDVAL-013");
    plan.finish()
}

pub(super) fn causes() -> Scenario {
    let mut plan = Plan::new();
    let version = || vec![Version::only(json!({ "type": "object" }))];
    for edit in [Edit::Remove("/spec/scope".into()), Edit::Set("/spec/scope".into(), json!("Nowhere"))] {
        let definition = plan.uninstalled();
        let body = Body::Definition { definition, versions: version(), edits: vec![edit] };
        let tried = plan.send(Request::new(Method::Post, Resource::Definitions, body).as_dry_run());
        plan.check("capability", &["REST-005"], tried, NamedCheck::ListsCauses);
    }
    plan.finish()
}

pub(super) fn definition_updates() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(json!({ "type": "object" })).owned());
    let read = definitions::read(&mut plan, definition);
    // Until then the server writes to it, too, and the PUT may be a conflict.
    plan.repeat_until(read, definitions::condition("Established", Some("True")));
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/description";
    let put = definitions::put(&mut plan, definition, read, false, vec![Edit::Set(pointer.into(), json!("changed"))]);
    let value = Some(json!("changed"));
    plan.check("capability", &["REST-028"], put, Expectation::At { pointer: pointer.into(), value });
    plan.finish()
}

pub(super) fn definition_update_validation() -> Scenario {
    let mut plan = Plan::new();
    // One definition for each: what is accepted would be the basis of the next.
    let mut try_patched = |patch: Value, asserts: &str| {
        let definition = plan.define(Definition::of_schema(json!({ "type": "object" })).owned());
        let patched = definitions::merge(&mut plan, definition, patch);
        plan.check("capability", &[asserts], patched, NamedCheck::NotAccepted);
    };
    try_patched(json!({ "spec": { "scope": "Nowhere" } }), "CRDVAL-003");
    let version = |schema: Value| json!({ "spec": { "versions": [Version::only(schema).document()] } });
    try_patched(version(json!({ "type": "object", "properties": { "spec": {} } })), "STRUCT-002");
    try_patched(
        json!({ "spec": { "versions": [Version::named("v1", json!({ "type": "object" })).document()] } }),
        "CRDVAL-014",
    );
    plan.finish()
}

pub(super) fn structural_schemas() -> Scenario {
    let mut plan = Plan::new();
    let defined = plan.try_define(json!({ "type": "object", "properties": { "spec": {} } }));
    plan.check("capability", &["STRUCT-002"], defined, NamedCheck::NotAccepted);
    plan.finish()
}

pub(super) fn conditions() -> Scenario {
    let mut plan = Plan::new();
    let (_, read) = definitions::established(&mut plan, &[]);
    plan.check("capability", &["LIFE-002"], read, definitions::condition("Established", Some("True")));
    plan.finish()
}

pub(super) fn name_conflicts() -> Scenario {
    let mut plan = Plan::new();
    let first = plan.uninstalled();
    let second = plan.uninstalled_beside(first);
    plan.make(first, vec![]);
    let read = definitions::read(&mut plan, first);
    plan.repeat_until(read, definitions::condition("Established", Some("True")));
    plan.make(second, vec![Edit::Set("/spec/names/kind".into(), json!("Thing"))]);
    let read = definitions::read(&mut plan, second);
    let refused = definitions::condition("NamesAccepted", Some("False"));
    plan.repeat_until(read, refused.clone());
    plan.check("capability", &["LIFE-006"], read, refused);
    plan.finish()
}

pub(super) fn stored_versions() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.uninstalled();
    plan.make(definition, vec![]);
    let read = definitions::read(&mut plan, definition);
    let value = Some(json!(["v1"]));
    plan.check(
        "capability",
        &["CRDVAL-008", "VER-017"],
        read,
        Expectation::At { pointer: "/status/storedVersions".into(), value },
    );
    plan.finish()
}

/// On a definition of its own: a server may list a group as soon as it has an object.
pub(super) fn aggregated_discovery() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(root_of(json!({ "type": "object" }))).owned());
    let accept = Some("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList".to_owned());
    let read = plan.send(Request { accept, ..Request::get(Resource::Groups { definition }) });
    plan.repeat_until(read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.check("capability", &["DISC-011"], read, NamedCheck::AggregatedListing);
    plan.finish()
}

pub(super) fn openapi_v3() -> Scenario {
    published(Document::V3("v1".to_owned()), "OAPI-001")
}

pub(super) fn openapi_v2() -> Scenario {
    published(Document::V2, "OAPI-009")
}

/// A document has a model of the kind.
fn published(document: Document, asserts: &str) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(root_of(json!({ "type": "object" }))).owned());
    let read = plan.read(Resource::Published { definition, document });
    let pointer = "/x-kubernetes-group-version-kind/0/version".to_owned();
    let has_model = NamedCheck::PublishedValue { model: "$group.v1.$kind".to_owned(), pointer, value: json!("v1") };
    plan.repeat_until(read, has_model.clone());
    plan.check("capability", &[asserts], read, has_model);
    plan.finish()
}

pub(super) fn discovery() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(root_of(json!({ "type": "object" }))).owned());
    let read = plan.read(Resource::Group { definition });
    plan.repeat_until(read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.check("capability", &["DISC-003"], read, Expectation::GroupVersions(vec!["v1".into()]));
    plan.finish()
}
