//! CRDVAL-010, CRDVAL-009: which fields of a definition can be changed before it is established.

use super::shared::{UPDATING, broken, not_established, unestablished};
use crate::prelude::*;
use crate::shared::definitions::{check_causes, try_merge};

pub(super) const PROPERTY: Property = Property::new("crdval-010-before-established", plan)
    .title("scope and kind can be changed before a definition is established")
    .asserts(&["CRDVAL-010", "CRDVAL-009"])
    .needs(UPDATING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    // An invalid caBundle prevents it from being established (CRDVAL-048).
    let (definition, made, settled) = unestablished(plan, choices.pick(&broken()));
    plan.assume(made, Expectation::Accepted);
    plan.assume(settled, not_established());
    plan.cases(choices, "update", |plan, choices| {
        let (mut patch, mut causes) = (json!({ "spec": { "names": {} } }), Vec::new());
        if choices.chance(1, 2) {
            patch["spec"]["scope"] = json!("Namespaced");
        }
        if choices.chance(1, 2) {
            patch["spec"]["names"]["kind"] = json!("Other");
        }
        let may = patch.clone();
        if choices.chance(1, 4) {
            patch["spec"]["group"] = json!("other.crdible.dev");
            causes.push(("spec.group".to_owned(), Reason::Invalid));
        }
        if choices.chance(1, 4) {
            patch["spec"]["names"]["plural"] = json!("others");
            causes.push(("spec.names.plural".to_owned(), Reason::Invalid));
        }
        let updated = try_merge(plan, definition, patch);
        if !causes.is_empty() {
            return check_causes(plan, "never", &["CRDVAL-009", "CRDVAL-010"], updated, &causes);
        }
        plan.check("before", &["CRDVAL-010"], updated, NamedCheck::Contains { content: may });
    });
}
