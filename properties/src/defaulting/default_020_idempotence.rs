//! DEFAULT-020: decoding an object that was already decoded changes nothing.

use crdible_generators::edit;

use super::shared::any_shape;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-020-idempotence", plan)
    .title("an object that is sent exactly as the server returned it is stored unchanged")
    .asserts(&["DEFAULT-020"])
    .needs(&[Capability::Storing]);

/// Bodies with nulls, unknown keys and missing keys, so that the first decoding has work in all three steps.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = any_shape(choices);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let mut body = value::valid(choices, &schema);
        edit::omit_keys(choices, &schema, &mut body);
        edit::plant_nulls(choices, &schema, &mut body);
        edit::plant_unknown(choices, &schema, &mut body);
        let first = plan.create(definition, body);
        plan.assume(first, Expectation::Accepted);
        let again = plan.create_copy(first, true);
        plan.check("same-as-new", &["DEFAULT-020"], again, Expectation::same_content(first));
        let put = plan.put_back(first, vec![]);
        plan.check("same-in-place", &["DEFAULT-020"], put, Expectation::same_content(first));
        plan.check("same-generation", &["DEFAULT-020"], put, Expectation::same_generation(first));
    });
}
