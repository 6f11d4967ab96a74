//! INV-010: defaults in a schema only add keys to what the same schema without them stores.

use super::planted::{Gap, Planted};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-010-defaulting-only-adds", plan)
    .title("defaults add keys where they are declared, and change or remove none")
    .asserts(&["INV-010"])
    .needs(&[Capability::Serving, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let planted = Planted::draw(choices);
    let with_defaults = plan.definition(&planted.schema);
    let without = plan.definition(&planted.bare);
    plan.cases(choices, "object", |plan, choices| {
        let object = planted.object(choices, Gap::Optional);
        let larger = plan.try_create(with_defaults, object.body.clone());
        let smaller = plan.try_create(without, object.body);
        plan.check("nothing-lost", &["INV-010"], smaller, NamedCheck::KeptKeysSubset.against(larger));
        plan.check("added-where-planted", &["INV-010"], larger, Expectation::Content(object.complete));
    });
}
