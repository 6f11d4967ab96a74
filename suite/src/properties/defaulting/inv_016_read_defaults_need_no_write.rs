//! INV-016: a property that the schema learns with a default shows in objects that were stored without it.

use crdible_generators::choice::Choices;

use super::{grown::Grown, shared::unchanged};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-016-read-defaults-need-no-write",
    title: "a new property with a default shows at once in what was stored before, which stays as it is",
    asserts: &["INV-016", "DEFAULT-011", "DEFAULT-014"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let grown = Grown::draw(choices);
    let mut plan = Plan::new();
    let definition = plan.definition(&grown.smaller);
    let created = plan.create(definition, grown.without);
    plan.install(definition, &grown.larger);
    let read = plan.get(created);
    unchanged(&mut plan, "read", &["INV-016", "DEFAULT-014"], read, created);
    let asserts = &["INV-016", "DEFAULT-011"];
    // One in four: a list right after a change of the schema may have to wait a second (429).
    if choices.chance(1, 4) {
        let list = plan.read(Resource::Objects { definition, version: "v1".to_owned() });
        let same = Expectation::SameAt { pointer: "/items/0/spec".to_owned(), r#as: read, other: "/spec".to_owned() };
        plan.check("listed", asserts, list, same);
    }
    plan.check("read", asserts, read, Expectation::Content(grown.with));
    // What the first read might have stored shows in the second.
    let again = plan.get(created);
    unchanged(&mut plan, "read-again", &["INV-016", "DEFAULT-014"], again, read);
    plan.count_case();
    plan.finish()
}
