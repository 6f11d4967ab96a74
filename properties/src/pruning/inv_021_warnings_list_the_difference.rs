//! INV-021: warnings and rejections name the added fields, and nothing else.

use super::shared::Planted;
use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-021", "PRUNE-028"];

pub(super) const PROPERTY: Property = Property::new("inv-021-warnings-list-the-difference", plan)
    .title("the unknown fields that Warn and Strict report are exactly the topmost undeclared keys")
    .asserts(&["INV-021", "INV-021/e1", "PRUNE-028", "PRUNE-028/e1"])
    .needs(&[Capability::Serving, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape::swarm(choices);
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let Planted { dirty, unknown, .. } = Planted::draw(choices, &schema);
        let warned = plan.try_create_validating(definition, "Warn", dirty.clone());
        plan.check("warned", ASSERTS, warned, Expectation::UnknownFieldWarnings(unknown.clone()));
        if !unknown.is_empty() {
            let strict = plan.try_create_validating(definition, "Strict", dirty);
            plan.check("refused", &["INV-021/e1", "PRUNE-028/e1"], strict, Expectation::StrictRefusal(unknown));
        }
    });
}
