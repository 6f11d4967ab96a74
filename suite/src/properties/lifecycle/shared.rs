//! Definitions that a scenario makes and deletes itself.

use serde_json::{Value, json};

pub(super) use crate::properties::shared::definitions::{HOLD, create, delete, gone, make, release};
use crate::{
    properties::shared::{
        definitions::{condition, read},
        spec_of,
    },
    scenario::{Expectation, Plan, StepId},
};

/// The finalizer by which a server removes the objects of a definition.
pub(super) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// A schema whose spec has the number `a` and these fields.
pub(super) fn schema(further: &[&str]) -> Value {
    let mut fields = json!({ "a": { "type": "integer" } });
    for name in further {
        fields[*name] = json!({ "type": "string" });
    }
    spec_of(fields)
}

/// Reads a definition until it is established.
pub(super) fn established(plan: &mut Plan, definition: usize) -> StepId {
    let settled = read(plan, definition);
    plan.repeat_until(settled, condition("Established", Some("True")));
    settled
}

/// The condition of this type has this status for this reason.
pub(super) fn condition_for(kind: &str, status: &str, reason: &str) -> Expectation {
    Expectation::named_with("condition-for@1", json!({ "type": kind, "status": status, "reason": reason }))
}

/// A named check of one answer without arguments.
pub(super) fn named(check: &str) -> Expectation {
    Expectation::named_with(check, Value::Null)
}
