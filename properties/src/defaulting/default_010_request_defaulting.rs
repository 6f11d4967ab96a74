//! DEFAULT-010: every kind of write fills in the defaults of the version in the request, and stores them.

use super::shared::Sample;
use crate::prelude::*;
use crate::shared::definitions::two_versions;

pub(super) const PROPERTY: Property = Property::new("default-010-request-defaulting", plan)
    .title("every kind of write fills in and stores the defaults of the request version")
    .asserts(&["DEFAULT-010", "DEFAULT-015"])
    .needs(&[Capability::Storing, Capability::Defaulting, Capability::DefinitionUpdates]);

/// How the key is removed from an object.
#[derive(Clone, Copy)]
enum Verb {
    Post,
    Put,
    JsonPatch,
    MergePatch,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::PATCHED);
    let sample = Sample::draw(choices, "value");
    let defaults = ["v1", "v2"].map(|version| (version, sample.value(choices, version)));
    let schema_of = |default: &Value| place.schema(object_of(json!({ "p": with_default(&sample.json(), default) })));
    let later = sample.value(choices, "later");
    let definition = plan.define_versions(two_versions(schema_of(&defaults[0].1), schema_of(&defaults[1].1)));
    let mut stored = Vec::new();
    for (version, default) in &defaults {
        for verb in [Verb::Post, Verb::Put, Verb::JsonPatch, Verb::MergePatch] {
            let (created, written) = match verb {
                Verb::Post => {
                    let created = plan.create_at(definition, version, place.content(json!({})));
                    (created, created)
                }
                _ => stored_then_removed(plan, choices, &place, &sample, definition, version, verb),
            };
            stored.push((created, default));
            plan.check(
                "default-of-the-version",
                &["DEFAULT-010"],
                written,
                at(format!("{}/p", place.pointer()), default.clone()),
            );
            plan.count_case();
        }
    }
    // With other defaults in the schema, only stored values still show the old default.
    plan.install_versions(definition, two_versions(schema_of(&later), schema_of(&later)));
    for (created, default) in stored {
        let read = plan.get(created);
        let pointer = format!("{}/p", place.pointer());
        plan.check("stored", &["DEFAULT-010", "DEFAULT-015"], read, at(pointer, default.clone()));
    }
}

/// Stores an object with the key, then writes it without the key; returns both steps.
fn stored_then_removed(
    plan: &mut Plan,
    choices: &mut Choices,
    place: &Place,
    sample: &Sample,
    definition: usize,
    version: &str,
    verb: Verb,
) -> (StepId, StepId) {
    let given = sample.value(choices, &format!("given {version} {}", verb as u8));
    let created = plan.create_at(definition, version, place.content(json!({ "p": given })));
    let pointer = format!("{}/p", place.pointer());
    let written = match verb {
        Verb::JsonPatch => plan.patch(created, Method::JsonPatch, json!([{ "op": "remove", "path": pointer }])),
        Verb::MergePatch => plan.patch(created, Method::MergePatch, place.content(json!({ "p": null }))),
        Verb::Put | Verb::Post => plan.put_back(created, vec![Edit::Remove(pointer)]),
    };
    (created, written)
}
