//! A container treats each of its values like the value of a property.

use crdible_generators::edit;

use super::plain_shape;
use crate::prelude::*;

/// A list or a map.
#[derive(Debug)]
pub(in super::super) struct Copies {
    /// The property of `spec` with the container.
    pub(in super::super) name: &'static str,
    /// What its checks assert.
    pub(in super::super) asserts: &'static [&'static str],
    /// The schema of the container, given that of its values.
    pub(in super::super) schema: fn(Value) -> Value,
    /// The keys of its values, as segments of a JSON pointer before escaping.
    pub(in super::super) keys: &'static [&'static str],
    /// The container with these values.
    pub(in super::super) value: fn(Vec<(&'static str, Value)>) -> Value,
}

/// Tries values individually at the property `one`, and together in the container.
pub(in super::super) fn plan_copies(plan: &mut Plan, choices: &mut Choices, container: &Copies) {
    let shape = SchemaShape { value_keywords: true, ..plain_shape(choices) };
    let mut of = choices.span("schema", |choices| schema::node(choices, &shape, 2));
    of.default = None;
    let schema = spec_of(json!({ "one": of.to_json(), container.name: (container.schema)(of.to_json()) }));
    let definition = plan.define_schema(schema);
    // Nulls in lists and maps are treated differently from nulls at properties (DEFAULT-005, DEFAULT-006).
    let filled = Schema { nullable: false, ..of };
    let mut values = Vec::new();
    choices.many("value", 1, container.keys.len().min(4), |choices, _| {
        let key = *choices.pick(container.keys);
        let key = if container.keys[0] == "0" { container.keys[values.len()] } else { key };
        let value = choices.keyed("*", |choices| dirty(choices, &filled));
        if !values.iter().any(|(taken, _)| *taken == key) {
            values.push((key, value));
        }
    });
    let content = |name: &str, value: Value| json!({ "spec": { name: value } });
    let singles: Vec<_> =
        values.iter().map(|(_, value)| plan.try_create(definition, content("one", value.clone()))).collect();
    for single in &singles {
        plan.assume(*single, Expectation::Accepted);
    }
    let whole = plan.try_create(definition, content(container.name, (container.value)(values.clone())));
    for ((key, _), single) in values.iter().zip(&singles) {
        let pointer = pointer::join(&format!("/spec/{}", container.name), key);
        plan.check(
            "like-one",
            container.asserts,
            whole,
            Expectation::SameAt { pointer, r#as: *single, other: "/spec/one".into() },
        );
        plan.count_case();
    }
    // One invalid value, at the end.
    if let Some(broken) = choices.keyed("*", |choices| value::broken(choices, &filled))
        && let Some((_, last)) = values.last_mut()
    {
        *last = broken.value.clone();
        let single = plan.try_create(definition, content("one", broken.value));
        let whole = plan.try_create(definition, content(container.name, (container.value)(values)));
        plan.check("refused-like-one", container.asserts, whole, Expectation::same_acceptance(single));
        plan.count_case();
    }
}

/// A valid value, with undeclared keys and nulls that are dropped.
fn dirty(choices: &mut Choices, schema: &Schema) -> Value {
    let mut value = value::valid_node(choices, schema);
    edit::plant_unknown(choices, schema, &mut value);
    edit::plant_nulls(choices, schema, &mut value);
    value
}
