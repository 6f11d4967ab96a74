//! CRDVAL-047, where kube-apiserver violates it: a missing name or namespace of a service.

use super::shared::{JUDGING, try_document};
use crate::prelude::*;
use crate::shared::definitions::check_causes;

const ASSERTS: &[&str] = &["CRDVAL-047"];

pub(super) const PROPERTY: Property = Property::new("crdval-047-defect-swapped", plan)
    .title("a missing name or namespace of a webhook's service is reported at its own field")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (missing, given) = *choices.pick(&[("name", "namespace"), ("namespace", "name")]);
    let mut document = crdible_generators::definition::plain();
    document["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": { "clientConfig": { "service": { given: "a" } }, "conversionReviewVersions": ["v1"] },
    });
    let defined = try_document(plan, document);
    plan.count_case();
    let causes = [(format!("spec.conversion.webhookClientConfig.service.{missing}"), Reason::Required)];
    check_causes(plan, "missing", ASSERTS, defined, &causes);
}
