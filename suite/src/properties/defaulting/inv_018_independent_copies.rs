//! INV-018: two elements with the same default are independent.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::Fields;
use crate::{
    properties::{
        Capability, Property,
        shared::{Place, Places, object_of, with_default},
    },
    scenario::{Expectation, Method, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-018-independent-copies",
    title: "a patch inside the filled-in default of one element leaves the defaults of the other elements unchanged",
    asserts: &["INV-018", "DEFAULT-019"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

// The values of a field.
const DEFAULT: usize = 0;
const OTHER: usize = 1;

fn plan(choices: &mut Choices) -> Scenario {
    let place = Place::draw(choices, &Places::ANY);
    let fields = Fields::draw(choices, ["default", "other"]);
    let around = |value| json!({ "in": value });
    let item = object_of(fields.entries(|field| {
        let node = object_of(json!({ "in": field.node() }));
        [("p", with_default(&node, &around(field.value(DEFAULT))))]
    }));
    let count = 2 + usize::try_from(choices.draw(2)).unwrap_or(0);
    let changed = usize::try_from(choices.draw(count as u64 - 1)).unwrap_or(0);
    let schema = place.schema(object_of(json!({ "list": { "type": "array", "items": item } })));
    let content = |elements: Vec<Value>| place.content(json!({ "list": elements }));
    let mut plan = Plan::new();
    let definition = plan.define_schema(schema);
    let created = plan.create(definition, content(vec![json!({}); count]));
    let element = format!("{}/list/{changed}", place.pointer());
    let patch = fields.replacing(OTHER, |name| format!("{element}/{name}/in"));
    let patched = plan.patch(created, Method::JsonPatch, patch);
    let element = |value| fields.entries(|field| [("p", around(field.value(value)))]);
    let mut elements = vec![element(DEFAULT); count];
    elements[changed] = element(OTHER);
    let read = plan.get(created);
    for (name, step) in [("answer", patched), ("read", read)] {
        plan.check(name, &["INV-018", "DEFAULT-019"], step, Expectation::Content(content(elements.clone())));
    }
    fields.count(&mut plan);
    plan.finish()
}
