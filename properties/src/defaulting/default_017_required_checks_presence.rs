//! DEFAULT-017: for `required`, a dropped null is missing; a kept null and a default are present.

use super::shared::Sample;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-017-required-checks-presence", plan)
    .title("required counts dropped nulls as missing, and kept nulls and defaults as present")
    .asserts(&["DEFAULT-017"])
    .needs(&[Capability::Serving, Capability::Defaulting, Capability::Validation]);

const KEYS: [&str; 3] = ["a", "b", "c"];

struct Key {
    name: &'static str,
    is_nullable: bool,
    default: Option<Value>,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::COPIED);
    let sample = Sample::draw(choices, "value");
    let keys = KEYS.map(|name| {
        let (is_nullable, has_default) = (choices.chance(1, 2), choices.chance(1, 2));
        Key { name, is_nullable, default: has_default.then(|| sample.value(choices, name)) }
    });
    let properties: Map<String, Value> = keys.iter().map(|key| (key.name.to_owned(), key.schema(&sample))).collect();
    let mut node = object_of(Value::Object(properties));
    node["required"] = json!(KEYS);
    let definition = plan.define_schema(place.schema(node));
    choices.cases("object", |choices, number| {
        let (mut body, mut stored, mut causes) = (Map::new(), Map::new(), Vec::new());
        for key in &keys {
            let given = match choices.weighted(&[1, 2, 1]) {
                0 => None,
                1 => Some(Value::Null),
                _ => Some(sample.value(choices, &format!("{} {number}", key.name))),
            };
            match key.effective(given.as_ref()) {
                Some(value) => drop(stored.insert(key.name.to_owned(), value)),
                None => causes.extend(place.causes([(format!(".{}", key.name), "Required")])),
            }
            body.extend(given.map(|value| (key.name.to_owned(), value)));
        }
        let created = plan.try_create(definition, place.content(Value::Object(body)));
        let expected = content_or(place.content(Value::Object(stored)), causes);
        plan.check("presence", &["DEFAULT-017"], created, expected);
        plan.count_case();
    });
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

    /// The value that `required` sees.
    fn effective(&self, given: Option<&Value>) -> Option<Value> {
        match given {
            Some(Value::Null) if self.is_nullable => Some(Value::Null),
            None | Some(Value::Null) => self.default.clone(),
            Some(value) => Some(value.clone()),
        }
    }
}
