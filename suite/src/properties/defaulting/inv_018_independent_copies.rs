//! INV-018: two elements that got one default are two values.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Frame, Sample, object_of, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Definition, Expectation, Method, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-018-independent-copies",
    title: "a patch inside the default of one element leaves the default of the others pristine",
    asserts: &["INV-018", "DEFAULT-019"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let sample = Sample::draw(choices, "value");
    let (value, other) = (sample.value(choices, "value"), sample.value(choices, "other"));
    let default = json!({ "in": value });
    let inner = with_default(&object_of(&json!({ "in": sample.json() })), &default);
    let item = object_of(&json!({ "p": inner }));
    let count = 2 + usize::try_from(choices.draw(2)).unwrap_or(0);
    let changed = usize::try_from(choices.draw(count as u64 - 1)).unwrap_or(0);
    let schema = frame.schema(object_of(&json!({ "list": { "type": "array", "items": item } })));
    let content = |elements: Vec<Value>| frame.content(json!({ "list": elements }));
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(schema));
    let created = plan.create(definition, content(vec![json!({}); count]));
    let path = format!("{}/list/{changed}/p/in", frame.pointer());
    let patched = plan.patch(created, Method::JsonPatch, json!([{ "op": "replace", "path": path, "value": other }]));
    let mut elements = vec![json!({ "p": default }); count];
    elements[changed] = json!({ "p": { "in": other } });
    let read = plan.get(created);
    for (name, step) in [("answer", patched), ("read", read)] {
        plan.check(name, &["INV-018", "DEFAULT-019"], step, Expectation::Content(content(elements.clone())));
    }
    plan.count_case();
    plan.finish()
}
