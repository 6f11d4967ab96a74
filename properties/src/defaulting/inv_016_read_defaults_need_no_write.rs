//! INV-016: a new property with a default appears in objects that were stored without it.

use crdible_generators::choice::MOST_CASES;

use super::grown::Grown;
use crate::prelude::*;
use crate::shared::unchanged;

pub(super) const PROPERTY: Property = Property::new("inv-016-read-defaults-need-no-write", plan)
    .title("a new property with a default appears immediately in objects stored before, without a write")
    .asserts(&["INV-016", "DEFAULT-011", "DEFAULT-014"])
    .needs(&[Capability::Storing, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    // One in four: a list right after a schema change may have to wait a second (429). A list shows a single object,
    // because the order of its items is not specified (REST-021).
    let is_listed = choices.chance(1, 4);
    let grown = Grown::draw(choices, if is_listed { 1 } else { MOST_CASES });
    let definition = plan.definition(&grown.smaller);
    let created: Vec<StepId> =
        grown.objects.iter().map(|object| plan.create(definition, object.without.clone())).collect();
    plan.install(definition, &grown.larger);
    for (created, object) in created.into_iter().zip(grown.objects) {
        let read = plan.get(created);
        unchanged(plan, "read", &["INV-016", "DEFAULT-014"], read, created);
        let asserts = &["INV-016", "DEFAULT-011"];
        if is_listed {
            let list = plan.list(definition, "v1");
            let pointer = "/items/0/spec".to_owned();
            plan.check("listed", asserts, list, Expectation::SameAt { pointer, r#as: read, other: "/spec".to_owned() });
        }
        plan.check("read", asserts, read, Expectation::Content(object.with));
        // If the first read had stored anything, the second would show it.
        let again = plan.get(created);
        unchanged(plan, "read-again", &["INV-016", "DEFAULT-014"], again, read);
        plan.count_case();
    }
}
