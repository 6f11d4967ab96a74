//! PRUNE-012: removing keys before pruning removes keys from the result, and changes nothing else.

use crdible_generators::edit;

use super::shared::{Planted, plain_shape, with_odd_names};
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-012"];

pub(super) const PROPERTY: Property = Property::new("prune-012-fewer-keys-fewer-left", plan)
    .title("the stored form of an object without some keys is contained in that of the whole object")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = plain_shape(choices);
    let shape = with_odd_names(choices, shape);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let Planted { dirty, .. } = Planted::draw(choices, &schema);
        let mut fewer = dirty.clone();
        edit::omit_keys(choices, &schema, &mut fewer);
        let whole = plan.try_create(definition, dirty);
        let part = plan.try_create(definition, fewer);
        let subset = NamedCheck::KeptKeysSubset.against(whole);
        plan.check("accepted", ASSERTS, part, Expectation::Accepted);
        plan.check("part", ASSERTS, part, subset);
    });
}
