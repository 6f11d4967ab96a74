//! DEFAULT-004: defaults complete both objects in the request and objects that were just filled in; a parent's default
//! is never merged.

use super::shared::Sample;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-004-recursion", plan)
    .title("every object, sent or inserted by a default, gets the defaults of its own keys")
    .asserts(&["DEFAULT-004", "DEFAULT-004/e1"])
    .needs(&[Capability::Serving, Capability::Defaulting])
    .edges(&[Edge { name: "with-and-without-parent-default", plan: with_and_without_parent_default }]);

const BOTH: &[&str] = &["DEFAULT-004", "DEFAULT-004/e1"];

const KEYS: [&str; 3] = ["a", "b", "c"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::COPIED);
    let keys = KEYS.map(|key| Key::draw(choices, key));
    let parent_default = if choices.chance(3, 4) { Some(some_of(choices, "parent default", &keys)) } else { None };
    let nodes: Map<String, Value> = keys.iter().map(|key| (key.name.to_owned(), key.schema())).collect();
    let mut parent = object_of(Value::Object(nodes));
    if let Some(default) = &parent_default {
        parent["default"] = Value::Object(default.clone());
    }
    let definition = plan.define_schema(place.schema(object_of(json!({ "p": parent }))));
    choices.cases("object", |choices, number| {
        let given = if choices.chance(2, 3) { Some(some_of(choices, &format!("given {number}"), &keys)) } else { None };
        let expected = given.as_ref().or(parent_default.as_ref()).map(|fields| completed(fields, &keys));
        let wrap = |fields: Option<Map<String, Value>>| {
            place.content(fields.map_or_else(|| json!({}), |fields| json!({ "p": fields })))
        };
        let created = plan.try_create(definition, wrap(given));
        plan.check("completed", BOTH, created, Expectation::Content(wrap(expected)));
        plan.count_case();
    });
}

struct Key {
    name: &'static str,
    sample: Sample,
    default: Option<Value>,
}

impl Key {
    fn draw(choices: &mut Choices, name: &'static str) -> Self {
        let sample = Sample::draw(choices, name);
        let default = choices.chance(1, 2).then(|| sample.value(choices, &format!("{name} default")));
        Self { name, sample, default }
    }

    fn schema(&self) -> Value {
        self.default.as_ref().map_or_else(|| self.sample.json(), |default| with_default(&self.sample.json(), default))
    }
}

fn some_of(choices: &mut Choices, stream: &str, keys: &[Key]) -> Map<String, Value> {
    let mut fields = Map::new();
    for key in keys {
        let stream = format!("{stream} {}", key.name);
        if choices.chance(1, 2) {
            fields.insert(key.name.to_owned(), key.sample.value(choices, &stream));
        }
    }
    fields
}

fn completed(fields: &Map<String, Value>, keys: &[Key]) -> Map<String, Value> {
    let value_of =
        |key: &Key| fields.get(key.name).or(key.default.as_ref()).map(|value| (key.name.to_owned(), value.clone()));
    keys.iter().filter_map(value_of).collect()
}

fn with_and_without_parent_default(plan: &mut Plan) {
    let inner = object_of(json!({ "a": { "type": "integer", "default": 1 }, "b": { "type": "integer" } }));
    let empty = with_default(&inner, &json!({}));
    let full = with_default(&inner, &json!({ "a": 5, "b": 6 }));
    let deep = with_default(&object_of(json!({ "in": empty })), &json!({}));
    let root = spec_of(json!({ "without": inner, "empty": empty, "full": full, "deep": deep }));
    let becomes = |name, sent: Value, left: Value| Example::becomes(name, BOTH, sent, left);
    plan.try_objects(root,
        [
            becomes(
                "nothing-given",
                json!({ "spec": {} }),
                json!({ "spec": { "empty": { "a": 1 }, "full": { "a": 5, "b": 6 }, "deep": { "in": { "a": 1 } } } }),
            ),
            becomes(
                "never-merged",
                json!({ "spec": { "without": {}, "empty": { "a": 2 }, "full": { "b": 3 }, "deep": { "in": {} } } }),
                json!({ "spec": { "without": { "a": 1 }, "empty": { "a": 2 }, "full": { "a": 1, "b": 3 }, "deep": { "in": { "a": 1 } } } }),
            ),
            becomes(
                "null-parent",
                json!({ "spec": { "empty": null, "full": null, "deep": { "in": null } } }),
                json!({ "spec": { "empty": { "a": 1 }, "full": { "a": 5, "b": 6 }, "deep": { "in": { "a": 1 } } } }),
            ),
        ],
    )
}
