//! DEFAULT-010: every kind of write is defaulted by the schema of the version that it is sent to, and stores what it filled in.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Frame, Sample, at, define, object_of, two_versions, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Edit, Method, Plan, Scenario, StepId},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-010-request-defaulting",
    title: "POST, PUT, JSON patch and merge patch fill in the defaults of the version in the request",
    asserts: &["DEFAULT-010", "DEFAULT-015"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

/// How an object loses the key.
#[derive(Clone, Copy)]
enum Verb {
    Post,
    Put,
    JsonPatch,
    MergePatch,
}

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::of_objects(choices);
    let sample = Sample::draw(choices, "value");
    let defaults = ["v1", "v2"].map(|version| (version, sample.value(choices, version)));
    let schema_of = |default: &Value| frame.schema(object_of(&json!({ "p": with_default(&sample.json(), default) })));
    let later = sample.value(choices, "later");
    let mut plan = Plan::new();
    let definition = define(&mut plan, two_versions(schema_of(&defaults[0].1), schema_of(&defaults[1].1)));
    let mut stored = Vec::new();
    for (version, default) in &defaults {
        for verb in [Verb::Post, Verb::Put, Verb::JsonPatch, Verb::MergePatch] {
            let (created, written) = match verb {
                Verb::Post => {
                    let created = plan.create_at(definition, version, frame.content(json!({})));
                    (created, created)
                }
                _ => taken_away(&mut plan, choices, &frame, &sample, definition, version, verb),
            };
            stored.push((created, default));
            plan.check(
                "default-of-the-version",
                &["DEFAULT-010"],
                written,
                at(format!("{}/p", frame.pointer()), Some(default)),
            );
            plan.count_case();
        }
    }
    // Under other defaults only what was stored still shows.
    plan.install_versions(definition, two_versions(schema_of(&later), schema_of(&later)));
    for (created, default) in stored {
        let read = plan.get(created);
        let pointer = format!("{}/p", frame.pointer());
        plan.check("stored", &["DEFAULT-010", "DEFAULT-015"], read, at(pointer, Some(default)));
    }
    plan.finish()
}

/// Stores an object with the key, and writes it without: the steps of both.
fn taken_away(
    plan: &mut Plan,
    choices: &mut Choices,
    frame: &Frame,
    sample: &Sample,
    definition: usize,
    version: &str,
    verb: Verb,
) -> (StepId, StepId) {
    let given = sample.value(choices, &format!("given {version} {}", verb as u8));
    let created = plan.create_at(definition, version, frame.content(json!({ "p": given })));
    let pointer = format!("{}/p", frame.pointer());
    let written = match verb {
        Verb::JsonPatch => plan.patch(created, Method::JsonPatch, json!([{ "op": "remove", "path": pointer }])),
        Verb::MergePatch => plan.patch(created, Method::MergePatch, frame.content(json!({ "p": null }))),
        Verb::Put | Verb::Post => plan.put_back(created, vec![Edit::Remove(pointer)]),
    };
    (created, written)
}
