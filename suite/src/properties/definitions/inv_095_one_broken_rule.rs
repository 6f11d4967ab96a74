//! INV-095 for whole definitions: legal, it is accepted and read back; with one rule broken, just its causes come back.

use crdible_generators::{
    choice::Choices,
    definition::{broken, definition, with_defaults},
};

use super::shared::{DEFINITIONS, JUDGING, check_causes, try_document};
use crate::{
    properties::Property,
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-095-one-broken-rule",
    title: "a legal definition is accepted and read back with the stated defaults, and with one rule broken refused with just its causes",
    asserts: &["INV-095", "CRDVAL-007", "CRDVAL-008"],
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        if choices.chance(2, 3) {
            let broken = broken(choices);
            let defined = try_document(&mut plan, broken.document);
            check_causes(&mut plan, broken.variations[0].name, &["INV-095"], defined, &broken.causes);
        } else {
            let legal = definition(choices);
            let spec = Some(with_defaults(&legal)["spec"].take());
            let defined = try_document(&mut plan, legal);
            let expect = Expectation::At { pointer: "/spec".into(), value: spec };
            plan.check("legal", &["INV-095", "CRDVAL-007", "CRDVAL-008"], defined, expect);
        }
        plan.count_case();
    });
    plan.finish()
}
