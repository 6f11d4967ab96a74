//! CRDVAL-048: the certificates of a conversion webhook, when an established definition is updated.

use crdible_generators::choice::Choices;
use crdible_semantics::Reason;
use serde_json::json;

use super::shared::{Bundle, UPDATING, bundles, check_causes, merge, own, try_merge};
use crate::{
    properties::{Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-048-authorities",
    title: "an established definition takes no certificates that are none",
    asserts: &["CRDVAL-048", "CRDVAL-048/e1"],
    needs: UPDATING,
    edges: &[Edge { name: "bundles", plan: all }],
    plan,
};

/// How many updates are tried.
const UPDATES: usize = 4;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let (definition, _) = own(&mut plan, &[]);
    let bundles = bundles();
    // What is stored: no webhook, one without certificates, one with a sound one.
    match choices.draw(2) {
        0 => {}
        1 => stored(&mut plan, definition, &bundles[2]),
        _ => stored(&mut plan, definition, &bundles[0]),
    }
    choices.many("update", 1, UPDATES, |choices, _| {
        let bundle = choices.pick(&bundles);
        demand(&mut plan, definition, bundle);
    });
    plan.finish()
}

fn all() -> Scenario {
    let mut plan = Plan::new();
    let (definition, _) = own(&mut plan, &[]);
    for bundle in bundles() {
        demand(&mut plan, definition, &bundle);
    }
    plan.finish()
}

fn stored(plan: &mut Plan, definition: usize, bundle: &Bundle) {
    let updated = merge(plan, definition, json!({ "spec": { "conversion": bundle.conversion() } }));
    plan.assume(updated, Expectation::Accepted);
}

/// Tries to update the definition to a webhook with this bundle.
pub(super) fn demand(plan: &mut Plan, definition: usize, bundle: &Bundle) {
    let updated = try_merge(plan, definition, json!({ "spec": { "conversion": bundle.conversion() } }));
    plan.count_case();
    if bundle.is_sound {
        return plan.check(bundle.name, bundle.asserts, updated, Expectation::Accepted);
    }
    let field = "spec.conversion.webhook.clientConfig.caBundle".to_owned();
    check_causes(plan, bundle.name, bundle.asserts, updated, &[(field, Reason::Invalid)]);
}
