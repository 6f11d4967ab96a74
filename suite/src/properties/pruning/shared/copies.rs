//! A container does to each of its values what a property would do.

use crdible_generators::{
    choice::Choices,
    edit,
    schema::{self, SchemaShape},
    value,
};
use crdible_semantics::Schema;
use serde_json::{Value, json};

use super::{plain_shape, segment, spec_of};
use crate::scenario::{Expectation, Plan, Scenario};

/// A list or a map.
#[derive(Debug)]
pub(in super::super) struct Container {
    /// The property of `spec` that holds it.
    pub(in super::super) name: &'static str,
    /// What it asserts.
    pub(in super::super) asserts: &'static [&'static str],
    /// The schema of a container of these.
    pub(in super::super) schema: fn(Schema) -> Schema,
    /// The keys of its values, as segments of a pointer before escaping.
    pub(in super::super) keys: &'static [&'static str],
    /// The container of these values.
    pub(in super::super) value: fn(Vec<(&'static str, Value)>) -> Value,
}

/// Values are tried alone at the property `one`, and together in the container.
pub(in super::super) fn plan_copies(choices: &mut Choices, container: &Container) -> Scenario {
    let mut plan = Plan::new();
    let shape = SchemaShape { value_keywords: true, ..plain_shape(choices) };
    let mut of = choices.span("schema", |choices| schema::node(choices, &shape, 2));
    of.default = None;
    let mut root = spec_of(&json!({ "one": {} }));
    if let Some(spec) = root.properties.get_mut("spec") {
        spec.properties.insert("one".to_owned(), of.clone());
        spec.properties.insert(container.name.to_owned(), (container.schema)(of.clone()));
    }
    let definition = plan.definition(&root);
    // A null in a list or map is another matter than one at a property (DEFAULT-005, DEFAULT-006).
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
        let pointer = format!("/spec/{}/{}", container.name, segment(key));
        plan.check(
            "like-one",
            container.asserts,
            whole,
            Expectation::SameAt { pointer, r#as: *single, other: "/spec/one".into() },
        );
        plan.count_case();
    }
    // One value that does not fit, at the end.
    if let Some(broken) = choices.keyed("*", |choices| value::broken(choices, &filled))
        && let Some((_, last)) = values.last_mut()
    {
        *last = broken.value.clone();
        let single = plan.try_create(definition, content("one", broken.value));
        let whole = plan.try_create(definition, content(container.name, (container.value)(values)));
        plan.check("refused-like-one", container.asserts, whole, Expectation::SameAcceptance { r#as: single });
        plan.count_case();
    }
    plan.finish()
}

/// A value that fits, with undeclared keys and nulls that are dropped.
fn dirty(choices: &mut Choices, schema: &Schema) -> Value {
    let mut value = value::valid_node(choices, schema);
    edit::plant_unknown(choices, schema, &mut value);
    edit::plant_nulls(choices, schema, &mut value);
    value
}
