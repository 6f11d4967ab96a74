//! INV-018: two elements with the same default are independent.

use super::shared::Sample;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-018-independent-copies", plan)
    .title("a patch inside the filled-in default of one list element changes no other element")
    .asserts(&["INV-018", "DEFAULT-019"])
    .needs(&[Capability::Storing, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::ANY);
    let sample = Sample::draw(choices, "value");
    let default = json!({ "in": sample.value(choices, "value") });
    let inner = with_default(&object_of(json!({ "in": sample.json() })), &default);
    let item = object_of(json!({ "p": inner }));
    let schema = place.schema(object_of(json!({ "list": { "type": "array", "items": item } })));
    let content = |elements: Vec<Value>| place.content(json!({ "list": elements }));
    let definition = plan.define_schema(schema);
    plan.cases(choices, "object", |plan, choices| {
        let other = sample.value(choices, "other");
        let count = 2 + choices.up_to(2);
        let changed = choices.index(count);
        let created = plan.create(definition, content(vec![json!({}); count]));
        let path = format!("{}/list/{changed}/p/in", place.pointer());
        let patched =
            plan.patch(created, Method::JsonPatch, json!([{ "op": "replace", "path": path, "value": other }]));
        let mut elements = vec![json!({ "p": default }); count];
        elements[changed] = json!({ "p": { "in": other } });
        let read = plan.get(created);
        for (name, step) in [("answer", patched), ("read", read)] {
            plan.check(name, &["INV-018", "DEFAULT-019"], step, Expectation::Content(content(elements.clone())));
        }
    });
}
