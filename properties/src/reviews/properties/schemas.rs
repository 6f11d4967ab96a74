//! What comes out fits the schema of the version that was asked for.

use crdible_scenario::{Demand, reviews::ReviewProperty};

use super::plan::Plan;

pub(super) const DECLARED: ReviewProperty = ReviewProperty::of(
    "conv-041-declared",
    "converted objects have only fields and types that the schema of the desired version allows",
    &["CONV-041"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        let step = plan.ask_one(to, &object);
        plan.check("declared", &["CONV-041"], step, Demand::Declared);
        plan.finish()
    },
);

pub(super) const VALID: ReviewProperty = ReviewProperty::of(
    "conv-042-valid",
    "converted objects are valid in the desired version",
    &["CONV-042"],
    |c, subject| {
        let mut plan = Plan::of(&subject.contract);
        let (from, to) = plan.pair(c);
        let object = plan.object(c, from, 0);
        let step = plan.ask_one(to, &object);
        plan.check("valid", &["CONV-042"], step, Demand::Valid);
        plan.finish()
    },
);
