//! DEFAULT-019: two objects that got one default are two objects.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{Frame, Sample, object_of, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Definition, Expectation, Method, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-019-deep-copy",
    title: "changing an inserted default in one object changes it in no other, stored before or created after",
    asserts: &["DEFAULT-019"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

/// The default is an object or a list around the value, so that a change goes into it and does not replace it.
fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let sample = Sample::draw(choices, "value");
    let (value, other) = (sample.value(choices, "value"), sample.value(choices, "other"));
    let in_list = choices.chance(1, 2);
    let node = if in_list {
        json!({ "type": "array", "items": sample.json() })
    } else {
        object_of(&json!({ "in": sample.json() }))
    };
    let around = |value| {
        if in_list { json!([value]) } else { json!({ "in": value }) }
    };
    let content = |value| Expectation::Content(frame.content(json!({ "p": around(value) })));
    let schema = frame.schema(object_of(&json!({ "p": with_default(&node, &around(&value)) })));
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(schema));
    let [changed, untouched] = [(); 2].map(|()| plan.create(definition, frame.content(json!({}))));
    let path = format!("{}/p/{}", frame.pointer(), if in_list { "0" } else { "in" });
    let patched = plan.patch(changed, Method::JsonPatch, json!([{ "op": "replace", "path": path, "value": other }]));
    plan.check("changed", &["DEFAULT-019"], patched, content(&other));
    let later = plan.try_create(definition, frame.content(json!({})));
    plan.check("created-later", &["DEFAULT-019"], later, content(&value));
    let read = plan.get(untouched);
    plan.check("untouched", &["DEFAULT-019"], read, content(&value));
    plan.count_case();
    plan.finish()
}
