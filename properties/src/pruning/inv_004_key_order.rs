//! INV-004: the order of keys in a body makes no difference.

use crdible_generators::edit;

use super::shared::with_odd_names;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-004-key-order", plan)
    .title("two bodies that differ only in the order of their keys have the same outcome")
    .asserts(&["INV-004"])
    .needs(&[Capability::Serving]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape::swarm(choices);
    let shape = with_odd_names(choices, shape);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let fields = value::arbitrary(choices, &schema);
        let shuffled = choices.span("order", |choices| edit::shuffle_keys(choices, &fields));
        let sorted = plan.try_create(definition, fields);
        let permuted = plan.try_create(definition, shuffled);
        plan.check("same-outcome", &["INV-004"], permuted, Expectation::same_outcome(sorted));
    });
}
