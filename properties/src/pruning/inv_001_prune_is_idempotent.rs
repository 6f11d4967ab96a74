//! INV-001: writing back an object as read changes nothing.

use crdible_generators::edit;

use super::shared::{Planted, with_odd_names};
use crate::prelude::*;
use crate::shared::read_back;

const ASSERTS: &[&str] = &["INV-001", "PRUNE-012"];

pub(super) const PROPERTY: Property = Property::new("inv-001-prune-is-idempotent", plan)
    .title("writing an object back as it was read changes nothing")
    .asserts(&["INV-001", "PRUNE-012", "REST-013"])
    .needs(&[Capability::Storing]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape::swarm(choices);
    let shape = with_odd_names(choices, shape);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let Planted { mut dirty, .. } = Planted::draw(choices, &schema);
        edit::plant_nulls(choices, &schema, &mut dirty);
        let created = plan.create(definition, dirty);
        plan.assume(created, Expectation::Accepted);
        let before = read_back(plan, created);
        let settled = plan.settle(created);
        plan.check("settled-content", ASSERTS, settled, Expectation::same_content(before));
        let read = plan.get(created);
        let again = plan.put_back(read, vec![]);
        plan.check("content", ASSERTS, again, Expectation::same_content(before));
        plan.check("revision", ASSERTS, again, Expectation::same_revision(settled));
        plan.check("generation", ASSERTS, again, Expectation::same_generation(before));
    });
}
