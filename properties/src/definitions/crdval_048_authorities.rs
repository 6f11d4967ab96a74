//! CRDVAL-048: the caBundle of a conversion webhook when an established definition is updated.

use super::shared::{Bundle, UPDATING, bundles};
use crate::prelude::*;
use crate::shared::definitions::{established, merge};

pub(super) const PROPERTY: Property = Property::new("crdval-048-authorities", plan)
    .title("an update of an established definition is rejected if its caBundle holds no valid certificate")
    .asserts(&["CRDVAL-048", "CRDVAL-048/e1"])
    .needs(UPDATING)
    .edges(&[Edge { name: "bundles", plan: all }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, _) = established(plan, &[]);
    let bundles = bundles();
    // The stored conversion: no webhook, one without certificates, or one with a valid bundle.
    match choices.draw(2) {
        0 => {}
        1 => stored(plan, definition, &bundles[2]),
        _ => stored(plan, definition, &bundles[0]),
    }
    choices.cases("update", |choices, _| {
        let bundle = choices.pick(&bundles);
        bundle.try_update(plan, definition);
    });
}

fn all(plan: &mut Plan) {
    let (definition, _) = established(plan, &[]);
    for bundle in bundles() {
        bundle.try_update(plan, definition);
    }
}

fn stored(plan: &mut Plan, definition: usize, bundle: &Bundle) {
    let updated = merge(plan, definition, json!({ "spec": { "conversion": bundle.conversion() } }));
    plan.assume(updated, Expectation::Accepted);
}
