//! INV-020: `fieldValidation` makes no difference to what is stored.

use super::shared::{Planted, with_odd_names};
use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-020"];

pub(super) const PROPERTY: Property = Property::new("inv-020-modes-store-the-same", plan)
    .title("every mode of fieldValidation that accepts an object stores the same content")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape::swarm(choices);
    let shape = with_odd_names(choices, shape);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let Planted { clean, dirty, .. } = Planted::draw(choices, &schema);
        let strict = plan.try_create_validating(definition, "Strict", clean);
        plan.check("strict", ASSERTS, strict, Expectation::Accepted);
        let modeless = plan.try_create(definition, dirty.clone());
        plan.check("no-mode", ASSERTS, modeless, Expectation::same_content(strict));
        for mode in ["Ignore", "Warn"] {
            let step = plan.try_create_validating(definition, mode, dirty.clone());
            plan.check(mode, ASSERTS, step, Expectation::same_content(strict));
        }
    });
}
