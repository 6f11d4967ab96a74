//! INV-034: one invalid leaf produces one cause at its path.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-034"];

pub(super) const PROPERTY: Property = Property::new("inv-034-errors-are-located", plan)
    .title("an object with one invalid leaf is rejected with exactly one cause, at that leaf")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = choices.span("shape", |choices| SchemaShape {
        value_keywords: true,
        patterns: choices.chance(1, 2),
        formats: choices.chance(1, 2),
        ..SchemaShape::swarm(choices)
    });
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let definition = plan.definition(&schema);
    plan.cases(choices, "object", |plan, choices| {
        let whole = choices.keyed("whole", |choices| value::valid(choices, &schema));
        let created = plan.try_create(definition, whole);
        plan.check("whole", ASSERTS, created, Expectation::Accepted);
        // In some schemas no leaf can be made invalid.
        if let Some(broken) = choices.keyed("broken", |choices| value::broken(choices, &schema)) {
            let created = plan.try_create(definition, broken.value);
            let cause = broken.cause;
            plan.check_causes("broken", ASSERTS, created, vec![cause]);
        }
    });
}
