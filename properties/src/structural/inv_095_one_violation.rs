//! INV-095: one violation is reported at one place, and without it the schema is accepted.

use crdible_generators::rule;

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::host;

pub(super) const PROPERTY: Property = Property::new("inv-095-one-violation", plan)
    .title("a schema with one violation is rejected with exactly the causes of that rule")
    .asserts(&["INV-095"])
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("schema", 1, 4, |choices, _| {
        let broken = choices.span("schema", |choices| {
            let shape = host::shape(choices);
            rule::broken_schema(choices, &shape)
        });
        let valid = plan.try_define(broken.valid.to_json());
        plan.check("whole", &["INV-095"], valid, Expectation::Accepted);
        let defined = plan.try_define(broken.json);
        plan.check_causes(broken.row.requirement(), &["INV-095"], defined, broken.causes);
        plan.count_case();
    });
}
