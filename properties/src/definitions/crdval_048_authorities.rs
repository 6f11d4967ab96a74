//! CRDVAL-048: the caBundle of a conversion webhook when an established definition is updated.

use super::shared::{Bundle, UPDATING, bundles};
use crate::prelude::*;
use crate::shared::definitions::{established, merge};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-048-authorities",
    title: "an update of an established definition is rejected if its caBundle holds no valid certificate",
    asserts: &["CRDVAL-048", "CRDVAL-048/e1"],
    needs: UPDATING,
    edges: &[Edge { name: "bundles", plan: all }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let (definition, _) = established(&mut plan, &[]);
    let bundles = bundles();
    // The stored conversion: no webhook, one without certificates, or one with a valid bundle.
    match choices.draw(2) {
        0 => {}
        1 => stored(&mut plan, definition, &bundles[2]),
        _ => stored(&mut plan, definition, &bundles[0]),
    }
    choices.cases("update", |choices, _| {
        let bundle = choices.pick(&bundles);
        bundle.try_update(&mut plan, definition);
    });
    plan.finish()
}

fn all() -> Scenario {
    let mut plan = Plan::new();
    let (definition, _) = established(&mut plan, &[]);
    for bundle in bundles() {
        bundle.try_update(&mut plan, definition);
    }
    plan.finish()
}

fn stored(plan: &mut Plan, definition: usize, bundle: &Bundle) {
    let updated = merge(plan, definition, json!({ "spec": { "conversion": bundle.conversion() } }));
    plan.assume(updated, Expectation::Accepted);
}
