//! RATCHET-021: each update is judged beside the object as the one before left it; there is no way back to what was invalid.

use crdible_generators::{
    choice::Choices,
    update::{Ground, GroundShape},
};
use serde_json::Value;

use super::shared::{only, outcome, spec};
use crate::{
    properties::{Capability, Property},
    scenario::{Definition, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-021-fixpoint",
    title: "in a row of updates each is forgiven only what the last accepted one left, and no former value",
    asserts: &["RATCHET-001", "RATCHET-021", "INV-081"],
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let shape = GroundShape { lists: 0, own_rules: false, max_depth: 1, ..GroundShape::default() };
    let ground = Ground::draw(choices, &shape);
    let definition = plan.define(Definition::of_schema(ground.loose()));
    let first = ground.object(choices);
    let mut at = plan.create(definition, first.clone());
    plan.install_versions(definition, only(ground.tight()));
    let mut accepted: Vec<Value> = vec![first];
    choices.many_parts("update", 1, 5, |choices, _| {
        let Some(current) = accepted.last().cloned() else { return };
        // One in three goes back to what was there before.
        let goes_back = accepted.len() > 1 && choices.chance(1, 3);
        let new = if goes_back { accepted[accepted.len() - 2].clone() } else { ground.edited(choices, &current) };
        let causes = ground.causes(&new, Some(&current));
        let is_accepted = causes.is_empty();
        let put = plan.put_back(at, vec![spec(&new)]);
        let (name, asserts): (&str, &[&str]) = if goes_back {
            ("back", &["RATCHET-021", "INV-081"])
        } else {
            ("onwards", &["RATCHET-001", "RATCHET-021"])
        };
        plan.check(name, asserts, put, outcome(new.clone(), causes));
        plan.count_case();
        if is_accepted {
            at = put;
            accepted.push(new);
        }
    });
    plan.finish()
}
