//! LIFE-018, LIFE-019, INV-097, INV-099: a definition that is deleted and made again has nothing of its former life.

use crdible_scenario::storage_version;

use super::shared::{create, delete, established, gone, make, schema};
use crate::prelude::*;
use crate::shared::differs_at;

pub(super) const PROPERTY: Property = Property::new("life-019-recreation", plan)
    .title("a definition that is deleted and created again starts without objects")
    .asserts(&["INV-097", "INV-099", "LIFE-015", "LIFE-018", "LIFE-019"])
    .needs(&[Capability::Storing, Capability::Conditions, Capability::DefinitionDefaults]);

/// A JSON pointer into a definition, and its default.
type Default = (&'static str, fn() -> Value);

/// What is left out of a definition, or written although it is the default.
const DEFAULTS: [Default; 3] = [
    ("/spec/names/singular", || json!("thing")),
    ("/spec/names/listKind", || json!("ThingList")),
    ("/spec/conversion", || json!({ "strategy": "None" })),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.uninstalled();
    let mut first: Option<StepId> = None;
    let mut former: Vec<StepId> = Vec::new();
    let lives = 2 + usize::from(choices.chance(1, 6));
    for life in 0..lives {
        plan.count_case();
        let versions = versions(choices);
        let storage = storage_version(&versions).to_owned();
        let listed_at = choices.pick(&versions).name.clone();
        let is_namespaced = choices.chance(1, 3);
        let mut edits =
            vec![Edit::Set("/spec/scope".into(), json!(if is_namespaced { "Namespaced" } else { "Cluster" }))];
        for (pointer, value) in DEFAULTS {
            edits.push(match choices.chance(1, 2) {
                true => Edit::Set(pointer.into(), value()),
                false => Edit::Remove(pointer.into()),
            });
        }
        let made = make(plan, definition, versions, edits);
        plan.check("made", &["LIFE-019", "INV-099"], made, Expectation::Accepted);
        let settled = established(plan, definition);
        let stored = at("/status/storedVersions", json!([storage]));
        plan.check("stored-versions", &["LIFE-019", "INV-099"], settled, stored);
        plan.check("generation", &["LIFE-019", "INV-099"], settled, at("/metadata/generation", 1));
        let all = Resource::Path { definition, path: format!("/apis/$group/{listed_at}/$plural") };
        let list = plan.read(all);
        plan.repeat_until(list, Expectation::Accepted);
        plan.check("empty", &["LIFE-019", "INV-099"], list, at("/items", json!([])));
        if let Some(first) = first {
            let new = differs_at("/metadata/uid", first);
            plan.check("uid", &["LIFE-019", "INV-099"], settled, new);
            for pointer in ["/spec/names", "/spec/conversion", "/status/acceptedNames"] {
                plan.check("defaults", &["INV-097"], settled, same_at(pointer, first));
            }
        }
        if !is_namespaced {
            for &object in &former {
                let read = plan.get_at(object, &listed_at);
                plan.check("former-object", &["LIFE-019"], read, Expectation::Status(404));
            }
        }
        first = first.or(Some(settled));
        let is_last = life + 1 == lives;
        // The first create under a new definition may take seconds.
        if !is_namespaced && !is_last && choices.chance(2, 3) {
            former.push(create(plan, definition, "v1", json!({ "spec": { "a": 1 } })));
            choices.many("object", 0, 2, |_, _| former.push(plan.create(definition, json!({ "spec": { "a": 2 } }))));
        }
        let deleted = delete(plan, definition, None);
        plan.check("deleted", &["LIFE-015"], deleted, Expectation::Accepted);
        gone(plan, definition, &["LIFE-015"]);
        let served = plan.list(definition, "v1");
        plan.repeat_until(served, Expectation::Status(404));
        plan.check("nothing-served", &["LIFE-018"], served, Expectation::Status(404));
    }
}

/// `v1`, and perhaps further ones, any of which may be the storage version.
fn versions(choices: &mut Choices) -> Vec<Version> {
    let mut names = vec!["v1"];
    names.extend(["v2", "v1beta1"].iter().filter(|_| choices.chance(1, 3)));
    let storage = *choices.pick(&names);
    names.into_iter().map(|name| Version::named(name, schema(&[])).stored_if(name == storage)).collect()
}
