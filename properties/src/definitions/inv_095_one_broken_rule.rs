//! INV-095 for whole definitions: a valid one is accepted and read back, and one with one broken rule has exactly the
//! causes of that rule.

use crdible_generators::definition::{broken, definition, with_defaults};

use super::shared::{DEFINITIONS, JUDGING, try_document};
use crate::prelude::*;
use crate::shared::definitions::check_causes;

pub(super) const PROPERTY: Property = Property::new("inv-095-one-broken-rule", plan)
    .title("a definition that breaks one rule is rejected with exactly the causes of that rule")
    .asserts(&["INV-095", "CRDVAL-007", "CRDVAL-008"])
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        if choices.chance(2, 3) {
            let broken = broken(choices);
            let defined = try_document(plan, broken.document);
            check_causes(plan, broken.variations[0].name, &["INV-095"], defined, &broken.causes);
        } else {
            let legal = definition(choices);
            let spec = with_defaults(&legal)["spec"].take();
            let defined = try_document(plan, legal);
            plan.check("legal", &["INV-095", "CRDVAL-007", "CRDVAL-008"], defined, at("/spec", spec));
        }
        plan.count_case();
    });
}
