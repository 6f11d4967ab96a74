//! CRDVAL-055: updates of the approval annotation of a definition in a protected group.

use super::shared::UPDATING;
use crate::prelude::*;
use crate::shared::definitions::{check_causes, try_merge, try_patch};

pub(super) const PROPERTY: Property = Property::new("crdval-055-approval-updates", plan)
    .title("an update must not remove or invalidate the approval of a definition in a protected group")
    .asserts(&["CRDVAL-055", "CRDVAL-055/e1"])
    .needs(UPDATING);

/// The annotation as a JSON pointer, and as a key.
const POINTER: &str = "/metadata/annotations/api-approved.kubernetes.io";
const KEY: &str = "api-approved.kubernetes.io";

/// Valid values.
const VALID: &[&str] = &["https://example.com/1", "ftp://a", "unapproved, an experiment", "unapproved"];
/// Invalid values, each with the requirement or edge that forbids it.
const INVALID: &[(&str, &str)] = &[
    ("approved", "CRDVAL-055"),
    ("mailto:someone", "CRDVAL-055"),
    ("//example.com/1", "CRDVAL-055"),
    ("Unapproved", "CRDVAL-055/e1"),
    (" unapproved", "CRDVAL-055/e1"),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define(Definition::default().protected().uninstalled());
    let made = plan.make(definition, vec![Edit::Set(POINTER.into(), json!(choices.pick(VALID)))]);
    plan.check("made", &["CRDVAL-055"], made, Expectation::Accepted);
    let reason = |reason| vec![(format!("metadata.annotations[{KEY}]"), reason)];
    plan.cases(choices, "update", |plan, choices| match choices.draw(3) {
        0 => {
            let text = json!(*choices.pick(VALID));
            let updated = annotate(choices, plan, definition, Some(text.clone()));
            plan.check("another", &["CRDVAL-055"], updated, at(POINTER, text));
        }
        1 => {
            let updated = annotate(choices, plan, definition, None);
            check_causes(plan, "none", &["CRDVAL-055"], updated, &reason(Reason::Required));
        }
        2 => {
            let updated = annotate(choices, plan, definition, Some(json!("")));
            check_causes(plan, "empty", &["CRDVAL-055/e1"], updated, &reason(Reason::Required));
        }
        _ => {
            let (text, requirement) = *choices.pick(INVALID);
            let updated = annotate(choices, plan, definition, Some(json!(text)));
            check_causes(plan, "broken", &[requirement], updated, &reason(Reason::Invalid));
        }
    });
}

/// Sets or removes the annotation. Uses patches because they need no resourceVersion, which the server's own
/// controllers keep changing for a while.
fn annotate(choices: &mut Choices, plan: &mut Plan, definition: usize, text: Option<Value>) -> StepId {
    if choices.chance(1, 2) {
        return try_merge(plan, definition, json!({ "metadata": { "annotations": { KEY: text } } }));
    }
    let operation = match text {
        Some(text) => json!({ "op": "replace", "path": POINTER, "value": text }),
        None => json!({ "op": "remove", "path": POINTER }),
    };
    try_patch(plan, definition, json!([operation]))
}
