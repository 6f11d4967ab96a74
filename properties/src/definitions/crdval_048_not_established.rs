//! CRDVAL-048: a new definition may have an invalid caBundle; it is not established until the bundle is fixed.

use super::shared::{Bundle, RULE, UPDATING, broken, bundles, not_established, unestablished};
use crate::prelude::*;
use crate::shared::definitions::{condition, merge, read, try_merge};

pub(super) const PROPERTY: Property = Property::new("crdval-048-not-established", plan)
    .title("a new definition with an invalid caBundle is accepted but not established")
    .asserts(&["CRDVAL-048", "CRDVAL-048/e1"])
    .needs(UPDATING)
    .edges(&[Edge { name: "bundles", plan: all }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let bundles = bundles();
    let first = choices.pick(&broken()).clone();
    let definition = kept(plan, &first);
    choices.cases("update", |choices, _| {
        let bundle = choices.pick(&bundles);
        try_any(plan, definition, bundle);
    });
    if choices.chance(1, 2) {
        let valid: Vec<&Bundle> = bundles.iter().filter(|bundle| bundle.is_valid).collect();
        let fixed = merge(plan, definition, json!({ "spec": { "conversion": choices.pick(&valid).conversion() } }));
        plan.check("mended", RULE, fixed, Expectation::Accepted);
        let established = read(plan, definition);
        plan.repeat_until(established, condition("Established", Some("True")));
        plan.check("established", RULE, established, condition("Established", Some("True")));
        choices.pick(&bundles).try_update(plan, definition);
    }
}

fn all(plan: &mut Plan) {
    for first in broken() {
        let definition = kept(plan, &first);
        for bundle in bundles() {
            try_any(plan, definition, &bundle);
        }
    }
}

/// A definition with this bundle.
fn kept(plan: &mut Plan, first: &Bundle) -> usize {
    let (definition, made, settled) = unestablished(plan, first);
    plan.count_case();
    plan.check(first.name, first.asserts, made, Expectation::Accepted);
    plan.check("not-established", first.asserts, settled, not_established());
    definition
}

fn try_any(plan: &mut Plan, definition: usize, bundle: &Bundle) {
    let updated = try_merge(plan, definition, json!({ "spec": { "conversion": bundle.conversion() } }));
    plan.count_case();
    plan.check("before-established", RULE, updated, Expectation::Accepted);
}
