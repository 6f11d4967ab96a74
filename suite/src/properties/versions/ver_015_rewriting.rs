//! VER-015, VER-016, VER-017 and INV-040: another storage version changes no object; a write, also of nothing, moves it once.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
    value,
};
use serde_json::json;

use super::shared::{own, version};
use crate::{
    properties::{Capability, Property},
    scenario::{Body, Expectation, Method, Plan, Request, Resource, Scenario, StepId, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "ver-015-rewriting",
    title: "after a change of the storage version objects stay as they are until the first write, which moves them once",
    asserts: &["VER-015", "VER-015/e1", "VER-015/e2", "VER-016", "VER-017", "INV-040"],
    needs: &[Capability::Storing],
    edges: &[],
    plan,
};

/// A write that changes nothing.
#[derive(Clone, Copy)]
enum Nothing {
    Put,
    MergePatch,
    JsonPatch,
}

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    // Defaults would be a change by themselves where an object was stored without them.
    let shape = SchemaShape { defaults: false, ..SchemaShape::default() };
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let json = schema.to_json();
    let storing = |storage: &str| -> Vec<Version> {
        ["v1", "v2"].iter().map(|name| version(name, true, *name == storage, &json)).collect()
    };
    let definition = own(&mut plan, storing("v1"));
    let objects = choices.many("object", 1, 2, |choices, _| {
        let content = value::valid(choices, &schema);
        let created = plan.create_at(definition, choices.pick::<&str>(&["v1", "v2"]), content);
        plan.assume(created, Expectation::Accepted);
        let write = *choices.pick(&[Nothing::Put, Nothing::MergePatch, Nothing::JsonPatch]);
        (created, write, *choices.pick(&["v2", "v1"]))
    });
    plan.install_versions(definition, storing("v2"));
    let installed = plan.read(Resource::Definition { definition });
    let listed = Expectation::At { pointer: "/status/storedVersions".into(), value: Some(json!(["v1", "v2"])) };
    plan.check("stored-versions", &["VER-016", "VER-017", "INV-040"], installed, listed);
    for (created, write, at) in objects {
        for name in ["v1", "v2"] {
            let read = plan.get_at(created, name);
            plan.check("content", &["VER-016", "INV-040"], read, Expectation::SameContent { r#as: created });
            plan.check("revision", &["VER-016", "INV-040"], read, Expectation::SameRevision { r#as: created });
        }
        let read = plan.get_at(created, at);
        let moved = nothing(&mut plan, created, read, write, at);
        plan.check("moved-content", &["VER-015", "INV-040"], moved, Expectation::SameContent { r#as: created });
        plan.check("moved", &["VER-015", "VER-015/e1"], moved, Expectation::named("other-revision@1", created));
        plan.check("generation", &["VER-015", "INV-040"], moved, Expectation::SameGeneration { r#as: created });
        let again = nothing(&mut plan, created, moved, write, at);
        plan.check("once", &["VER-015/e1", "VER-015/e2"], again, Expectation::SameRevision { r#as: moved });
        plan.count_case();
    }
    plan.finish()
}

fn nothing(plan: &mut Plan, created: StepId, read: StepId, write: Nothing, at: &str) -> StepId {
    let object = plan.object_at(created, at);
    plan.send(match write {
        Nothing::Put => Request::new(Method::Put, object, Body::Answer { step: read, edits: vec![] }),
        Nothing::MergePatch => Request::new(Method::MergePatch, object, Body::json(json!({}))),
        Nothing::JsonPatch => Request::new(Method::JsonPatch, object, Body::json(json!([]))),
    })
}
