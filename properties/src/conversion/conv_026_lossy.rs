//! CONV-026: a server does not repair what a conversion loses, and what a converter keeps in an annotation comes back.

use crdible_generators::conversion::{ConversionShape, FirstOnly};

use super::shared::Converted;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-026-lossy", plan)
    .title("writing back an object read at another version stores what the webhook makes of it")
    .asserts(&["CONV-026", "CONV-026/e1", "CONV-016"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let first_only = *choices.pick(&[FirstOnly::Lost, FirstOnly::Kept]);
    let shape = ConversionShape { first_only, ..ConversionShape::default() };
    // Only the first version has the field, so it is the one that stores it.
    let converted = Converted::draw_stored(plan, choices, &shape, 0);
    plan.case_parts(choices, "object", |plan, choices| {
        let object = converted.conversion.object(choices);
        let created = converted.create(plan, &object, 0);
        let other = converted.pick_other(choices);
        let seen = converted.conversion.seen(&object, other);
        let read = plan.get_at(created, converted.name(other));
        plan.check("read", &["CONV-026"], read, Expectation::Content(content(&seen)));
        if let Some(annotations) = seen.pointer("/metadata/annotations") {
            let pointer = "/metadata/annotations".to_owned();
            let kept = Expectation::At { pointer, value: Some(annotations.clone()) };
            plan.check("kept", &["CONV-016"], read, kept);
        }
        let label = json!({ "metadata": { "labels": { "a": "b" } } });
        let written = match choices.draw(3) {
            0 => plan.put_back(read, vec![]),
            1 => plan.patch(read, Method::MergePatch, json!({})),
            2 => plan.patch(read, Method::JsonPatch, json!([])),
            _ => plan.patch(read, Method::MergePatch, label),
        };
        let asserts = &["CONV-026", "CONV-026/e1"];
        plan.check("written", asserts, written, Expectation::Content(content(&seen)));
        plan.check("generation", asserts, written, Expectation::same_generation(created));
        let mut left = object.clone();
        if first_only == FirstOnly::Lost {
            left["spec"].as_object_mut().map(|spec: &mut Map<String, Value>| spec.remove("firstOnly"));
        }
        let stored = plan.get(created);
        let changes = left != object;
        plan.check("stored", asserts, stored, Expectation::Content(left));
        if changes {
            plan.check("revision", asserts, stored, NamedCheck::OtherRevision.against(created));
        }
    });
}

fn content(seen: &Value) -> Value {
    let mut content = seen.clone();
    content.as_object_mut().map(|content| content.remove("metadata"));
    content
}
