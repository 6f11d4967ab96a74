//! INV-009: an object created from the response to a create is equal to it.

use crdible_generators::edit;

use super::shared::any_shape;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-009-default-is-idempotent", plan)
    .title("creating an object from the response to a create gives the same object")
    .asserts(&["INV-009", "DEFAULT-020"])
    .needs(&[Capability::Serving, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = any_shape(choices);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let mut body = value::valid(choices, &schema);
        edit::omit_keys(choices, &schema, &mut body);
        let first = plan.try_create(definition, body);
        plan.assume(first, Expectation::Accepted);
        let again = plan.create_copy(first, true);
        plan.check("same-again", &["INV-009", "DEFAULT-020"], again, Expectation::same_content(first));
    });
}
