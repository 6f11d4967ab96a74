//! DEFAULT-017: a null that is dropped is missing, a null that stays is present, and a default makes present.

use crdible_generators::choice::Choices;
use serde_json::{Map, Value, json};

use super::shared::{Frame, OBJECTS, Sample, object_of};
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Definition, Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-017-required-checks-presence",
    title: "required properties fail when absent or dropped as null, not when nullable and null or filled in",
    asserts: &["DEFAULT-017"],
    needs: &[Capability::Serving, Capability::Defaulting, Capability::Validation],
    edges: &[],
    plan,
};

const KEYS: [&str; 3] = ["a", "b", "c"];

struct Key {
    name: &'static str,
    is_nullable: bool,
    default: Option<Value>,
}

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let sample = Sample::draw(choices, "value");
    let keys = KEYS.map(|name| {
        let (is_nullable, has_default) = (choices.chance(1, 2), choices.chance(1, 2));
        Key { name, is_nullable, default: has_default.then(|| sample.value(choices, name)) }
    });
    let properties: Map<String, Value> = keys.iter().map(|key| (key.name.to_owned(), key.schema(&sample))).collect();
    let mut node = object_of(&Value::Object(properties));
    node["required"] = json!(KEYS);
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(frame.schema(node)));
    choices.many("object", 1, OBJECTS, |choices, number| {
        let (mut body, mut stored, mut causes) = (Map::new(), Map::new(), Vec::new());
        for key in &keys {
            let given = match choices.weighted(&[1, 2, 1]) {
                0 => None,
                1 => Some(Value::Null),
                _ => Some(sample.value(choices, &format!("{} {number}", key.name))),
            };
            match key.comes_out(given.as_ref()) {
                Some(value) => drop(stored.insert(key.name.to_owned(), value)),
                None => causes.push(Cause::new(format!("{}.{}", frame.field(), key.name), "Required")),
            }
            body.extend(given.map(|value| (key.name.to_owned(), value)));
        }
        let created = plan.try_create(definition, frame.content(Value::Object(body)));
        let expected = if causes.is_empty() {
            Expectation::Content(frame.content(Value::Object(stored)))
        } else {
            Expectation::Causes(causes)
        };
        plan.check("presence", &["DEFAULT-017"], created, expected);
        plan.count_case();
    });
    plan.finish()
}

impl Key {
    fn schema(&self, sample: &Sample) -> Value {
        let mut schema = sample.json();
        if self.is_nullable {
            schema["nullable"] = json!(true);
        }
        if let Some(default) = &self.default {
            schema["default"] = default.clone();
        }
        schema
    }

    /// What is there when `required` looks.
    fn comes_out(&self, given: Option<&Value>) -> Option<Value> {
        match given {
            Some(Value::Null) if self.is_nullable => Some(Value::Null),
            None | Some(Value::Null) => self.default.clone(),
            Some(value) => Some(value.clone()),
        }
    }
}
