//! INV-017: a field that a tightened schema hides comes back when the schema is loosened, unless the object was written
//! in between.

use super::shared::{Declared, plain_shape, with_odd_names};
use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-017", "PRUNE-022"];

pub(super) const PROPERTY: Property = Property::new("inv-017-tighten-and-loosen", plan)
    .title("a property that the schema drops disappears from reads, and returns if it is declared again")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = plain_shape(choices);
    let shape = with_odd_names(choices, shape);
    let (whole, declared) = Declared::draw(choices, &shape);
    let definition = plan.definition(&whole);
    let objects = choices.cases("object", |choices, _| {
        let content = value::valid(choices, &whole);
        let left = declared.remove_from_content(&content);
        (plan.create(definition, content.clone()), content, left, choices.chance(1, 3))
    });
    plan.install(definition, &declared.remove_from_schema(&whole));
    for (created, _, left, is_written) in &objects {
        let read = plan.get(*created);
        plan.check("hidden", ASSERTS, read, Expectation::Content(left.clone()));
        plan.check("same-revision", ASSERTS, read, Expectation::same_revision(*created));
        if *is_written {
            let put = plan.put_back(read, vec![]);
            plan.check("same-generation", &["PRUNE-022"], put, Expectation::same_generation(*created));
        }
    }
    plan.install(definition, &whole);
    for (created, content, left, is_written) in objects {
        let read = plan.get(created);
        if is_written {
            plan.check("lost", &["PRUNE-022"], read, Expectation::Content(left));
        } else {
            plan.check("back", ASSERTS, read, Expectation::Content(content));
            plan.check("never-written", ASSERTS, read, Expectation::same_revision(created));
        }
        plan.count_case();
    }
}
