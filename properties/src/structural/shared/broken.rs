//! Generated schemas with one violation.

use crdible_generators::breakage;

use crate::prelude::*;
use crate::shared::{PIECES, Piece, causes_of, host};

/// Tries a generated schema that violates exactly this rule. False if the drawn schema cannot violate the rule, or only
/// together with others.
pub(crate) fn broken(choices: &mut Choices, plan: &mut Plan, requirement: &str) -> bool {
    let schema = choices.span("broken schema", |choices| {
        let mut shape = host::shape(choices);
        if requirement == "STRUCT-001" {
            // A root that preserves unknown fields needs no type (a quirk).
            (shape.preserving, shape.any_root_keyword) = (false, false);
        }
        breakage::broken_schema_of(choices, &shape, requirement)
    });
    let Some(schema) = schema.filter(|schema| schema.requirement == requirement) else { return false };
    let defined = plan.try_define(schema.json);
    plan.check_causes("one-rule-broken", &[requirement], defined, causes_of(schema.violations));
    plan.count_case();
    true
}

/// Some of the pieces of a rule in generated schemas, and generated schemas that violate just this rule.
pub(crate) fn try_rule(choices: &mut Choices, requirement: &'static str, pieces: &[Piece]) -> Scenario {
    let mut plan = Plan::new();
    choices.many("piece", 1, PIECES, |choices, _| {
        if !choices.chance(1, 3) || !broken(choices, &mut plan, requirement) {
            choices.pick(pieces).try_anywhere(choices, &mut plan);
        }
    });
    plan.finish()
}
