//! Definitions that a scenario makes and deletes itself.

pub(super) use crate::shared::{
    condition_for,
    definitions::{HOLD, create, delete, gone, make, release},
};

use crate::prelude::*;
use crate::shared::{
    all,
    definitions::{await_cleanup, condition, read},
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

/// Reads a definition until it is established, and says that its names are accepted.
pub(super) fn established(plan: &mut Plan, definition: usize) -> StepId {
    let settled = read(plan, definition);
    plan.repeat_until(settled, all(["NamesAccepted", "Established"].map(|kind| condition(kind, Some("True")))));
    settled
}

/// Reads a definition that another finalizer keeps until the objects are cleaned up and the server says so (LIFE-026),
/// in the reads and writes that it needs for that. As long as it is still at it, nothing is judged: how long that takes
/// is nowhere promised.
pub(super) fn cleaned_up(plan: &mut Plan, definition: usize, reason: &str) -> StepId {
    await_cleanup(plan, definition);
    let kept = read(plan, definition);
    let finalizers = at("/metadata/finalizers", json!([HOLD]));
    plan.repeat_until(kept, all([condition_for("Terminating", "False", reason), finalizers]));
    plan.assume(kept, NamedCheck::CleanupOver);
    kept
}
