//! VER-015, VER-016, VER-017 and INV-040: changing the storage version changes no object; the next write, even without
//! a change, converts it once.

use super::shared::own;
use crate::prelude::*;
use crate::shared::read_back;

pub(super) const PROPERTY: Property = Property::new("ver-015-rewriting", plan)
    .title("after the storage version changes, objects stay unchanged until the first write of each")
    .asserts(&["VER-015", "VER-015/e1", "VER-015/e2", "VER-016", "VER-017", "INV-040", "REST-013"])
    .needs(&[Capability::Storing, Capability::DefinitionUpdates]);

/// A write without a change.
#[derive(Clone, Copy)]
enum Unchanged {
    Put,
    MergePatch,
    JsonPatch,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    // If an object was stored without defaults, filling them in would itself be a change.
    let shape = SchemaShape { defaults: false, ..SchemaShape::default() };
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let json = schema.to_json();
    let storing = |storage: &str| -> Vec<Version> {
        ["v1", "v2"].iter().map(|name| Version::named(*name, json.clone()).stored_if(*name == storage)).collect()
    };
    let definition = own(plan, storing("v1"));
    let objects = choices.cases("object", |choices, _| {
        let content = value::valid(choices, &schema);
        let created = plan.create_at(definition, choices.pick::<&str>(&["v1", "v2"]), content);
        plan.assume(created, Expectation::Accepted);
        let before = read_back(plan, created);
        let write = *choices.pick(&[Unchanged::Put, Unchanged::MergePatch, Unchanged::JsonPatch]);
        (created, before, write, *choices.pick(&["v2", "v1"]))
    });
    plan.install_versions(definition, storing("v2"));
    let installed = plan.read(Resource::Definition { definition });
    let listed = at("/status/storedVersions", json!(["v1", "v2"]));
    plan.check("stored-versions", &["VER-016", "VER-017", "INV-040"], installed, listed);
    for (created, before, write, at) in objects {
        for name in ["v1", "v2"] {
            let read = plan.get_at(created, name);
            plan.check("content", &["VER-016", "INV-040"], read, Expectation::same_content(before));
            plan.check("revision", &["VER-016", "INV-040"], read, Expectation::same_revision(before));
        }
        let read = plan.get_at(created, at);
        let moved = write_unchanged(plan, created, read, write, at);
        plan.check("moved-content", &["VER-015", "INV-040"], moved, Expectation::same_content(before));
        plan.check("moved", &["VER-015", "VER-015/e1"], moved, NamedCheck::OtherRevision.against(before));
        plan.check("generation", &["VER-015", "INV-040"], moved, Expectation::same_generation(before));
        let again = write_unchanged(plan, created, moved, write, at);
        plan.check("once", &["VER-015/e1", "VER-015/e2"], again, Expectation::same_revision(moved));
        plan.count_case();
    }
}

fn write_unchanged(plan: &mut Plan, created: StepId, read: StepId, write: Unchanged, at: &str) -> StepId {
    let object = plan.object_at(created, at);
    plan.send(match write {
        Unchanged::Put => Request::put(object, Body::Answer { step: read, edits: vec![] }),
        Unchanged::MergePatch => Request::merge_patch(object, json!({})),
        Unchanged::JsonPatch => Request::json_patch(object, json!([])),
    })
}
