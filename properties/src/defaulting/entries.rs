//! Nulls among the elements of a list and the values of a map: one truth table for both.

use super::shared::Sample;
use crate::prelude::*;

/// The container of the entries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    List,
    Map,
}

/// How the node of the entries treats null.
struct Entry {
    sample: Sample,
    is_nullable: bool,
    default: Option<Value>,
}

/// The result for an entry.
enum Outcome {
    Is(Value),
    Goes,
    Fails,
}

impl Entry {
    fn draw(choices: &mut Choices) -> Self {
        let sample = Sample::draw(choices, "entry");
        let is_nullable = choices.chance(1, 4);
        let default = choices.chance(2, 3).then(|| sample.value(choices, "default"));
        Self { sample, is_nullable, default }
    }

    fn schema(&self) -> Value {
        let mut schema = self.sample.json();
        if self.is_nullable {
            schema["nullable"] = json!(true);
        }
        if let Some(default) = &self.default {
            schema["default"] = default.clone();
        }
        schema
    }

    /// DEFAULT-002 and DEFAULT-003 for an entry.
    fn outcome(&self, value: &Value, holder: Holder) -> Outcome {
        let is_untyped = self.sample.node.type_name.is_empty() && !self.sample.node.int_or_string;
        match (value, &self.default, holder) {
            (Value::Null, _, _) if self.is_nullable => Outcome::Is(Value::Null),
            (Value::Null, Some(default), _) => Outcome::Is(default.clone()),
            (Value::Null, None, Holder::Map) => Outcome::Goes,
            // Elements are never removed, and null is a value like any other at a node without a type (VALUE-019).
            (Value::Null, None, Holder::List) if is_untyped => Outcome::Is(Value::Null),
            (Value::Null, None, Holder::List) => Outcome::Fails,
            (given, ..) => Outcome::Is(given.clone()),
        }
    }
}

/// Objects whose list or map holds nulls and other values.
pub(super) fn scenario(plan: &mut Plan, choices: &mut Choices, holder: Holder, asserts: &[&str]) {
    let place = Place::draw(choices, &Places::COPIED);
    let entry = Entry::draw(choices);
    let held = match holder {
        Holder::List => json!({ "type": "array", "items": entry.schema() }),
        Holder::Map => json!({ "type": "object", "additionalProperties": entry.schema() }),
    };
    let definition = plan.define_schema(place.schema(object_of(json!({ "held": held }))));
    plan.cases(choices, "object", |plan, choices| {
        let values: Vec<Value> = choices.many_parts("value", 0, 4, |choices, _| {
            if choices.chance(1, 2) { Value::Null } else { entry.sample.value(choices, "value") }
        });
        let wrap = |entries: &[(usize, Value)]| place.content(json!({ "held": held_in(holder, entries) }));
        let given: Vec<(usize, Value)> = values.into_iter().enumerate().collect();
        let mut kept = Vec::new();
        let mut causes = Vec::new();
        for (index, value) in &given {
            match entry.outcome(value, holder) {
                Outcome::Is(value) => kept.push((*index, value)),
                Outcome::Goes => {}
                Outcome::Fails => causes.extend(place.causes([(format!(".held[{index}]"), "TypeInvalid")])),
            }
        }
        let created = plan.try_create(definition, wrap(&given));
        plan.check("entries", asserts, created, content_or(wrap(&kept), causes));
    });
}

fn held_in(holder: Holder, entries: &[(usize, Value)]) -> Value {
    match holder {
        Holder::List => Value::Array(entries.iter().map(|(_, value)| value.clone()).collect()),
        Holder::Map => Value::Object(
            entries.iter().map(|(index, value)| (format!("k{index}"), value.clone())).collect::<Map<String, Value>>(),
        ),
    }
}
