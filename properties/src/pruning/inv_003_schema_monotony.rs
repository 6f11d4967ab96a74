//! INV-003: declaring one more property never removes anything else.

use super::shared::{Declared, Planted, plain_shape};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-003-schema-monotony", plan)
    .title("declaring one more property keeps that property and removes nothing else")
    .asserts(&["INV-003", "INV-003/e1", "PRUNE-012", "PRUNE-012/e1"])
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[Edge { name: "below-a-preserving-node", plan: below_preserving }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = plain_shape(choices);
    let (large, declared) = Declared::draw(choices, &shape);
    let with = plan.definition(&large);
    let without = plan.definition(&declared.remove_from_schema(&large));
    plan.cases(choices, "object", |plan, choices| {
        let Planted { clean, dirty, .. } = Planted::draw(choices, &large);
        let more = plan.try_create(with, dirty.clone());
        plan.check("with-it", &["INV-003", "PRUNE-012"], more, Expectation::Content(clean.clone()));
        let less = plan.try_create(without, dirty);
        plan.check(
            "without-it",
            &["INV-003", "PRUNE-012"],
            less,
            Expectation::Content(declared.remove_from_content(&clean)),
        );
    });
}

/// At a preserving node, a declaration starts pruning and so removes more.
fn below_preserving(plan: &mut Plan) {
    let asserts = &["INV-003/e1", "PRUNE-012/e1"];
    let node = json!({ "type": "object", PRESERVE: true });
    let mut declaring = node.clone();
    declaring["properties"] =
        json!({ "c": { "type": "object", "properties": { "a": { "type": "integer" }, "n": { "type": "string" } } } });
    let definitions = [node, declaring].map(|node| plan.define_schema(spec_of(json!({ "p": node }))));
    let sent = json!({ "spec": { "p": { "c": { "a": 1, "u": 2, "n": null } } } });
    let left = [sent.clone(), json!({ "spec": { "p": { "c": { "a": 1 } } } })];
    for (definition, left) in definitions.into_iter().zip(left) {
        let created = plan.try_create(definition, sent.clone());
        plan.check("kept", asserts, created, Expectation::Content(left));
    }
}
