//! INV-017: a property that the schema forgets is hidden, not lost: it is there again when the schema has it again.

use crdible_generators::choice::Choices;

use super::{grown::Grown, shared::unchanged};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-017-tighten-and-loosen",
    title: "what a tighter schema hides from reads comes back with the looser one, as long as nothing is written",
    asserts: &["INV-017", "PRUNE-022", "LIFE-024"],
    needs: &[Capability::Storing, Capability::Pruning],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let grown = Grown::draw(choices, false);
    let mut plan = Plan::new();
    let definition = plan.definition(&grown.larger);
    let created = plan.create(definition, grown.with.clone());
    plan.install(definition, &grown.smaller);
    let read = plan.get(created);
    plan.check("hidden", &["INV-017", "PRUNE-022"], read, Expectation::Content(grown.without));
    unchanged(&mut plan, "hidden", &["INV-017", "LIFE-024"], read, created);
    plan.install(definition, &grown.larger);
    let read = plan.get(created);
    plan.check("back", &["INV-017", "PRUNE-022", "LIFE-024"], read, Expectation::Content(grown.with));
    unchanged(&mut plan, "back", &["INV-017", "LIFE-024"], read, created);
    plan.count_case();
    plan.finish()
}
