//! INV-016: a new property with a default appears in objects that were stored without it.

use crdible_generators::choice::Choices;

use super::grown::Grown;
use crate::{
    properties::{Capability, Property, shared::unchanged},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-016-read-defaults-need-no-write",
    title: "a new property with a default appears immediately in objects stored before, without a write",
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
    // One in four: a list right after a schema change may have to wait a second (429).
    if choices.chance(1, 4) {
        let list = plan.list(definition, "v1");
        let same = Expectation::SameAt { pointer: "/items/0/spec".to_owned(), r#as: read, other: "/spec".to_owned() };
        plan.check("listed", asserts, list, same);
    }
    plan.check("read", asserts, read, Expectation::Content(grown.with));
    // If the first read had stored anything, the second would show it.
    let again = plan.get(created);
    unchanged(&mut plan, "read-again", &["INV-016", "DEFAULT-014"], again, read);
    plan.count_case();
    plan.finish()
}
