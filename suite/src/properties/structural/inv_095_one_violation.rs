//! INV-095: one violation, one location; without it the schema is accepted.

use crdible_generators::{breakage, choice::Choices};

use super::shared::{JUDGING, shape};
use crate::{
    properties::Property,
    scenario::{Cause, Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-095-one-violation",
    title: "a schema is accepted, and with one rule broken anywhere in it refused with just the causes of that rule",
    asserts: &["INV-095"],
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    choices.many("schema", 1, 4, |choices, _| {
        let broken = choices.span("schema", |choices| {
            let shape = shape(choices);
            breakage::broken_schema(choices, &shape)
        });
        let whole = plan.try_define(broken.whole.to_json());
        plan.check("whole", &["INV-095"], whole, Expectation::Accepted);
        let causes =
            broken.violations.into_iter().map(|(field, reason)| Cause::new(field, reason.to_string())).collect();
        let defined = plan.try_define(broken.json);
        plan.check_causes(broken.requirement, &["INV-095"], defined, causes);
        plan.count_case();
    });
    plan.finish()
}
