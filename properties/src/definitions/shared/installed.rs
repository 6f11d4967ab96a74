//! Definitions that cannot be established.

use super::Bundle;
use crate::prelude::*;
use crate::shared::{condition_for, definitions::read};

/// A new definition with a conversion webhook that has this bundle: its number, the step that created it, and the step
/// that reads it until it reports that it is not established because of the bundle (CRDVAL-048). A definition that is
/// still being installed reports other reasons first.
pub(crate) fn unestablished(plan: &mut Plan, bundle: &Bundle) -> (usize, StepId, StepId) {
    let definition = plan.uninstalled();
    let made = plan.make(definition, vec![Edit::Set("/spec/conversion".into(), bundle.conversion())]);
    let settled = read(plan, definition);
    plan.repeat_until(settled, not_established());
    (definition, made, settled)
}

/// Not established because of the caBundle of the conversion webhook (CRDVAL-048).
pub(crate) fn not_established() -> Expectation {
    condition_for("Established", "False", "InvalidCABundle")
}
