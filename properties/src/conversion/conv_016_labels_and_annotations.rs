//! CONV-016, CONV-017: of the metadata that a webhook returns, labels and annotations count, and nothing else.

use crdible_generators::conversion::ConversionShape;
use crdible_webhooks::Converter;

use super::{
    behaviours::{of_objects, remove, set},
    shared::Converted,
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("conv-016-labels-and-annotations", plan)
    .title("of the metadata that a webhook returns, only labels and annotations take effect")
    .asserts(&["CONV-016", "CONV-016/e1", "CONV-017", "CONV-017/e1", "INV-044", "VER-019/e1", "REST-013"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

/// What a webhook makes of labels or annotations: the edit, and the map that it leaves.
const MAPS: usize = 4;

fn map_edit(choice: usize, field: &str) -> (crdible_webhooks::Edit, Option<Value>) {
    let pointer = format!("/metadata/{field}");
    match choice {
        0 => (set(&pointer, json!({ "new": "one" })), Some(json!({ "new": "one" }))),
        1 => (set(&pointer, json!({})), None),
        2 => (set(&pointer, Value::Null), None),
        _ => (remove(&pointer), None),
    }
}

/// Other metadata, and what a webhook makes of it.
fn ignored() -> Vec<(&'static str, Value)> {
    vec![
        ("/metadata/finalizers", json!(["example.com/held"])),
        ("/metadata/finalizers", json!("x")),
        ("/metadata/ownerReferences", json!([{ "apiVersion": "v1", "kind": "X", "name": "x", "uid": "1" }])),
        ("/metadata/resourceVersion", json!("1")),
        ("/metadata/generation", json!(99)),
        ("/metadata/generation", json!(1.5)),
        ("/metadata/creationTimestamp", json!("2001-01-01T00:00:00Z")),
        ("/metadata/creationTimestamp", json!("no time")),
        ("/metadata/deletionTimestamp", json!("2001-01-01T00:00:00Z")),
        ("/metadata/deletionGracePeriodSeconds", json!(7)),
        ("/metadata/generateName", json!("other-")),
        ("/metadata/selfLink", json!("/x")),
        ("/metadata/unknown", json!("x")),
    ]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = ConversionShape { rest: false, ..ConversionShape::default() };
    let converted = Converted::draw(plan, choices, &shape);
    let right = Converter::right(converted.conversion.chain.clone());
    let storage = converted.storage;
    plan.case_parts(choices, "object", |plan, choices| {
        let object = converted.conversion.object(choices);
        let other = converted.pick_other(choices);
        let field = *choices.pick(&["labels", "annotations"]);
        let (edit, left) = map_edit(choices.index(MAPS), field);
        let (pointer, value) = choices.pick(&ignored()).clone();
        let edited = right.clone().with(of_objects(vec![edit, set(pointer, value)]));
        let is_write = choices.chance(1, 2);
        let mut content = converted.conversion.seen(&object, if is_write { other } else { storage });
        content["metadata"] = json!({ field: { "old": "two" } });
        let writer = if is_write { other } else { storage };
        let place = format!("/metadata/{field}");
        if is_write {
            // What the webhook makes of it on the way to the store is stored; on the way back it is right again.
            plan.convert(converted.definition, edited.clone());
        }
        let created = plan.create_at(converted.definition, converted.name(writer), content);
        // What is read later is compared with this answer.
        let asserts: &[&str] = if is_write { &["CONV-017", "CONV-017/e1", "INV-044"] } else { &["REST-013"] };
        for field in SELDOM {
            plan.check("created", asserts, created, absent(format!("/metadata/{field}")));
        }
        plan.convert(converted.definition, right.clone());
        let before = plan.get_at(created, converted.name(storage));
        if is_write {
            let expected = left.map_or_else(|| absent(&place), |left| at(&place, left));
            plan.check("stored", &["CONV-016", "CONV-016/e1"], before, expected);
            other_metadata_is(plan, "written", before, created);
        } else {
            plan.convert(converted.definition, edited);
            let read = plan.get_at(created, converted.name(other));
            let expected = left.map_or_else(|| absent(&place), |left| at(&place, left));
            plan.check("shown", &["CONV-016", "CONV-016/e1", "INV-044", "VER-019/e1"], read, expected);
            other_metadata_is(plan, "read", read, created);
            plan.convert(converted.definition, right.clone());
            let after = plan.get_at(created, converted.name(storage));
            plan.check("not-stored", &["CONV-016"], after, at(&place, json!({ "old": "two" })));
            plan.check("not-written", &["CONV-016"], after, Expectation::same_revision(created));
        }
    });
}

/// Further metadata, which no new object of this property has.
const SELDOM: [&str; 7] = [
    "finalizers",
    "ownerReferences",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generateName",
    "selfLink",
    "unknown",
];

/// Everything but labels and annotations is as it was when the object was created.
fn other_metadata_is(plan: &mut Plan, name: &str, step: StepId, created: StepId) {
    for field in ["name", "uid", "resourceVersion", "generation", "creationTimestamp"].into_iter().chain(SELDOM) {
        plan.check(name, &["CONV-017", "CONV-017/e1", "INV-044"], step, same_at(format!("/metadata/{field}"), created));
    }
}
