//! DEFAULT-019: two objects with the same default are independent.

use super::shared::Sample;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-019-deep-copy", plan)
    .title("changing a filled-in default in one object changes no other object")
    .asserts(&["DEFAULT-019"])
    .needs(&[Capability::Storing, Capability::Defaulting]);

/// The default is an object or a list around the value, so that a change happens inside it and does not replace it.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let sample = Sample::draw(choices, "value");
    let value = sample.value(choices, "value");
    let in_list = choices.chance(1, 2);
    let node = if in_list {
        json!({ "type": "array", "items": sample.json() })
    } else {
        object_of(json!({ "in": sample.json() }))
    };
    let around = |value: &Value| {
        if in_list { json!([value]) } else { json!({ "in": value }) }
    };
    let content = |value: &Value| Expectation::Content(place.content(json!({ "p": around(value) })));
    let schema = place.schema(object_of(json!({ "p": with_default(&node, &around(&value)) })));
    let definition = plan.define_schema(schema);
    plan.cases(choices, "object", |plan, choices| {
        let other = sample.value(choices, "other");
        let [changed, untouched] = [(); 2].map(|()| plan.create(definition, place.content(json!({}))));
        let path = format!("{}/p/{}", place.pointer(), if in_list { "0" } else { "in" });
        let patched =
            plan.patch(changed, Method::JsonPatch, json!([{ "op": "replace", "path": path, "value": other }]));
        plan.check("changed", &["DEFAULT-019"], patched, content(&other));
        let later = plan.try_create(definition, place.content(json!({})));
        plan.check("created-later", &["DEFAULT-019"], later, content(&value));
        let read = plan.get(untouched);
        plan.check("untouched", &["DEFAULT-019"], read, content(&value));
    });
}
