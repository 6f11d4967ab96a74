//! Generated schemas with one rule broken somewhere in what was generated.

use crdible_generators::{breakage, choice::Choices};

use super::shape;
use crate::scenario::{Cause, Plan};

/// Tries a generated schema that breaks just this rule. False if the rule cannot be broken in what was drawn, or not alone.
pub(crate) fn broken(choices: &mut Choices, plan: &mut Plan, requirement: &str) -> bool {
    let schema = choices.span("broken schema", |choices| {
        let mut shape = shape(choices);
        if requirement == "STRUCT-001" {
            // A root that preserves needs no type (a quirk).
            (shape.preserving, shape.any_root_keyword) = (false, false);
        }
        breakage::broken_schema_of(choices, &shape, requirement)
    });
    let Some(schema) = schema.filter(|schema| schema.requirement == requirement) else { return false };
    let causes = schema.violations.into_iter().map(|(field, reason)| Cause::new(field, reason.to_string())).collect();
    let defined = plan.try_define(schema.json);
    plan.check_causes("one-rule-broken", &[requirement], defined, causes);
    plan.count_case();
    true
}
