//! DISC-001/e1, DISC-005, DISC-014: definitions that are being deleted.

use super::{
    documents::{Group, Since, until},
    served::{Served, universe, unmade},
};
use crate::prelude::*;
use crate::shared::{
    definitions::{HOLD, await_gone, create, delete, make},
    names::Names,
};

pub(super) const PROPERTY: Property = Property::new("disc-005-terminating", plan)
    .title("discovery lists a terminating definition without the verbs create, update and patch")
    .asserts(&[
        "DISC-001",
        "DISC-001/e1",
        "DISC-002",
        "DISC-003",
        "DISC-003/e1",
        "DISC-004",
        "DISC-004/e2",
        "DISC-005",
        "DISC-005/e1",
        "DISC-006",
        "DISC-007",
        "DISC-011",
        "DISC-012",
        "DISC-014",
        "INV-050",
        "VER-006",
        "VER-007",
    ])
    .needs(&[Capability::Storing, Capability::Discovery, Capability::AggregatedDiscovery]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let universe = universe(choices);
    let scopes = [choices.chance(1, 3), choices.chance(1, 3)];
    let first = unmade(plan, scopes[0], None);
    let mut going = Served::draw(choices, first, scopes[0], Names::given(0), &universe).serving();
    make(plan, first, going.versions(), going.edits());
    let staying = choices.chance(1, 2).then(|| {
        let second = unmade(plan, scopes[1], Some(first));
        let staying = Served::draw(choices, second, scopes[1], Names::given(1), &universe);
        make(plan, second, staying.versions(), staying.edits());
        staying
    });
    let mut objects = Vec::new();
    choices.many("object", 1, 2, |_, _| {
        let fields = json!({ "metadata": { "finalizers": [HOLD] }, "spec": { "n": 1 } });
        let created = create(plan, first, going.storage(), fields);
        plan.assume(created, Expectation::Accepted);
        objects.push(created);
    });
    let shown = || staying.iter();
    // A definition that goes before discovery has heard that it came is a case of its own, which shows only by chance.
    group(&universe, first, shown().chain([&going])).await_version(plan, going.storage());
    let since = Since { before: group(&universe, first, shown().chain([&going])).versions(), ..Since::default() };
    delete(plan, first, None);
    going.is_terminating = true;
    group(&universe, first, shown().chain([&going])).check(plan, &since);
    writes(choices, plan, &going, objects[0]);
    for object in objects {
        let freed = plan.patch(object, Method::MergePatch, json!({ "metadata": { "finalizers": null } }));
        plan.varies(freed);
    }
    await_gone(plan, first);
    group(&universe, first, shown()).check(plan, &since);
}

fn group<'a>(universe: &'a [&'static str], of: usize, shown: impl Iterator<Item = &'a Served>) -> Group<'a> {
    Group { of, universe, shown: shown.collect() }
}

/// Writes that are not announced any more. They are patches, which can be repeated: each may come while the server
/// deletes the object.
fn writes(choices: &mut Choices, plan: &mut Plan, going: &Served, object: StepId) {
    let served: Vec<&str> =
        going.settings.iter().filter(|setting| setting.is_served).map(|setting| setting.version).collect();
    choices.cases("write", |choices, index| {
        plan.count_case();
        let number = index + 2;
        let target = plan.object_at(object, choices.pick::<&str>(&served));
        let (method, patch) = if choices.chance(1, 2) {
            (Method::MergePatch, json!({ "spec": { "n": number } }))
        } else {
            (Method::JsonPatch, json!([{ "op": "add", "path": "/spec/n", "value": number }]))
        };
        let written = until(plan, Request::new(method, target, Body::json(patch)), at("/spec/n", number));
        // The server may have deleted the object before or not.
        plan.varies(written);
        plan.check("written", &["DISC-005/e1"], written, at("/spec/n", number));
    });
}
