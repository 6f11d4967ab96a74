//! LIFE-013: the condition about the approval of a protected group.

use super::shared::{established, make, schema};
use crate::prelude::*;
use crate::shared::{
    condition_for,
    definitions::{condition, merge, read},
};

pub(super) const PROPERTY: Property = Property::new("life-013-approval", plan)
    .title("exactly the definitions of protected groups have an approval condition")
    .asserts(&["LIFE-013"])
    .needs(&[Capability::Serving, Capability::Conditions, Capability::DefinitionUpdates]);

const KIND: &str = "KubernetesAPIApprovalPolicyConformant";
const POINTER: &str = "/metadata/annotations/api-approved.kubernetes.io";
const KEY: &str = "api-approved.kubernetes.io";

/// Values of the annotation, and the condition that each gives.
const VALUES: [(&str, &str, &str); 4] = [
    ("https://example.com/1", "True", "ApprovedAnnotation"),
    ("ftp://a/b", "True", "ApprovedAnnotation"),
    ("unapproved, an experiment", "False", "UnapprovedAnnotation"),
    ("unapproved", "False", "UnapprovedAnnotation"),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let is_protected = !choices.chance(1, 4);
    let group = if is_protected { Definition::default().protected() } else { Definition::default() };
    let definition = plan.define(group.uninstalled());
    let value = choices.pick(&VALUES);
    let versions = vec![Version::only(schema(&[]))];
    make(plan, definition, versions, vec![Edit::Set(POINTER.into(), json!(value.0))]);
    check(plan, definition, is_protected, value);
    choices.cases_up_to("annotation", 4, |choices, _| {
        let value = choices.pick(&VALUES);
        let annotated: Value = json!({ "metadata": { "annotations": { KEY: value.0 } } });
        let patched = merge(plan, definition, annotated);
        plan.check("annotated", &["LIFE-013"], patched, Expectation::Accepted);
        check(plan, definition, is_protected, value);
    });
}

/// The condition says what the annotation says. Whether the definition is established has nothing to do with it.
fn check(plan: &mut Plan, definition: usize, is_protected: bool, (text, status, reason): &(&str, &str, &str)) {
    plan.count_case();
    if !is_protected {
        let settled = established(plan, definition);
        plan.check("no-condition", &["LIFE-013"], settled, condition(KIND, None));
        return;
    }
    let expected = condition_for(KIND, status, reason);
    let settled = read(plan, definition);
    plan.repeat_until(settled, expected.clone());
    plan.check("approval", &["LIFE-013"], settled, expected);
    if *status == "True" {
        let message = NamedCheck::ConditionSays { r#type: KIND.to_owned(), text: (*text).to_owned() };
        let read = read(plan, definition);
        plan.repeat_until(read, message.clone());
        plan.check("message", &["LIFE-013"], read, message);
    }
    let served = established(plan, definition);
    plan.check("established", &["LIFE-013"], served, condition("Established", Some("True")));
}
