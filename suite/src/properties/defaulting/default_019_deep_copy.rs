//! DEFAULT-019: two objects with the same default are independent.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::Fields;
use crate::{
    properties::{
        Capability, Property,
        shared::{Place, Places, object_of, with_default},
    },
    scenario::{Expectation, Method, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-019-deep-copy",
    title: "changing a filled-in default in one object changes no other object, whether stored before or created after",
    asserts: &["DEFAULT-019"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

// The values of a field.
const DEFAULT: usize = 0;
const OTHER: usize = 1;

/// Each default is an object or a list around a value, so that a change happens inside it and does not replace it.
fn plan(choices: &mut Choices) -> Scenario {
    let place = Place::draw(choices, &Places::ANY);
    let fields = Fields::draw(choices, ["default", "other"]);
    let in_list = choices.chance(1, 2);
    let node = |inner| {
        if in_list { json!({ "type": "array", "items": inner }) } else { object_of(json!({ "in": inner })) }
    };
    let around = |value| {
        if in_list { json!([value]) } else { json!({ "in": value }) }
    };
    let properties = fields.entries(|field| [("p", with_default(&node(field.node()), &around(field.value(DEFAULT))))]);
    let schema = place.schema(object_of(properties));
    let content =
        |value| Expectation::Content(place.content(fields.entries(|field| [("p", around(field.value(value)))])));
    let mut plan = Plan::new();
    let definition = plan.define_schema(schema);
    let [changed, untouched] = [(); 2].map(|()| plan.create(definition, place.content(json!({}))));
    let parent = place.pointer();
    let inside = if in_list { "0" } else { "in" };
    let patch = fields.replacing(OTHER, |name| format!("{parent}/{name}/{inside}"));
    let patched = plan.patch(changed, Method::JsonPatch, patch);
    plan.check("changed", &["DEFAULT-019"], patched, content(OTHER));
    let later = plan.try_create(definition, place.content(json!({})));
    plan.check("created-later", &["DEFAULT-019"], later, content(DEFAULT));
    let read = plan.get(untouched);
    plan.check("untouched", &["DEFAULT-019"], read, content(DEFAULT));
    fields.count(&mut plan);
    plan.finish()
}
