//! CRDVAL-047, where kube-apiserver violates it: a missing name or namespace of a service.

use crdible_semantics::Reason;

use super::shared::{JUDGING, try_document};
use crate::prelude::*;
use crate::shared::definitions::check_causes;

const ASSERTS: &[&str] = &["CRDVAL-047"];

pub(super) const PROPERTY: Property = Property {
    id: "crdval-047-defect-swapped",
    title: "a missing name or namespace of a webhook's service is reported at its own field",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let (missing, given) = *choices.pick(&[("name", "namespace"), ("namespace", "name")]);
    let mut document = crdible_generators::definition::plain();
    document["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": { "clientConfig": { "service": { given: "a" } }, "conversionReviewVersions": ["v1"] },
    });
    let defined = try_document(&mut plan, document);
    plan.count_case();
    let causes = [(format!("spec.conversion.webhookClientConfig.service.{missing}"), Reason::Required)];
    check_causes(&mut plan, "missing", ASSERTS, defined, &causes);
    plan.finish()
}
