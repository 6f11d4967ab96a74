//! CRDVAL-048: a new definition may have an invalid caBundle; it is not established until the bundle is fixed.

use super::shared::{Bundle, RULE, UPDATING, broken, bundles, not_established, unestablished};
use crate::prelude::*;
use crate::shared::definitions::{condition, merge, read, try_merge};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-048-not-established",
    title: "a new definition with an invalid caBundle is accepted but not established",
    asserts: &["CRDVAL-048", "CRDVAL-048/e1"],
    needs: UPDATING,
    edges: &[Edge { name: "bundles", plan: all }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let bundles = bundles();
    let first = choices.pick(&broken()).clone();
    let definition = kept(&mut plan, &first);
    choices.cases("update", |choices, _| {
        let bundle = choices.pick(&bundles);
        try_any(&mut plan, definition, bundle);
    });
    if choices.chance(1, 2) {
        let valid: Vec<&Bundle> = bundles.iter().filter(|bundle| bundle.is_valid).collect();
        let fixed =
            merge(&mut plan, definition, json!({ "spec": { "conversion": choices.pick(&valid).conversion() } }));
        plan.check("mended", RULE, fixed, Expectation::Accepted);
        let established = read(&mut plan, definition);
        plan.repeat_until(established, condition("Established", Some("True")));
        plan.check("established", RULE, established, condition("Established", Some("True")));
        choices.pick(&bundles).try_update(&mut plan, definition);
    }
    plan.finish()
}

fn all() -> Scenario {
    let mut plan = Plan::new();
    for first in broken() {
        let definition = kept(&mut plan, &first);
        for bundle in bundles() {
            try_any(&mut plan, definition, &bundle);
        }
    }
    plan.finish()
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
