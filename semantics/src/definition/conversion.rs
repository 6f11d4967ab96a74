//! Conversion (CRDVAL-044), without the rules of webhooks.

use super::{Spec, violation};
use crate::{Reason, Semantics, Violation, go_text, message};

pub(crate) fn check(semantics: &Semantics, spec: &Spec, found: &mut Vec<Violation>) {
    const STRATEGY: &str = "spec.conversion.strategy";
    let Some(conversion) = &spec.conversion else { return };
    match conversion.strategy.as_str() {
        "None" => {}
        "Webhook" => {
            if spec.preserve_unknown_fields {
                let detail = message::about_text("Webhook", "must be None if spec.preserveUnknownFields is true");
                found.push(violation(STRATEGY, Reason::Invalid, "CRDVAL-045", &detail));
            }
            return semantics.check_webhook(conversion, found);
        }
        "" => found.push(violation(STRATEGY, Reason::Required, "CRDVAL-044", "")),
        other => {
            let detail = message::unsupported(go_text::quoted(other), ["None", "Webhook"]);
            found.push(violation(STRATEGY, Reason::NotSupported, "CRDVAL-044", &detail));
        }
    }
    let Some(webhook) = &conversion.webhook else { return };
    let given = [
        ("webhookClientConfig", webhook.client_config.is_some()),
        ("conversionReviewVersions", !webhook.conversion_review_versions.is_empty()),
    ];
    for (field, _) in given.into_iter().filter(|(_, given)| *given) {
        let detail = "should not be set when strategy is not set to Webhook";
        found.push(violation(&format!("spec.conversion.{field}"), Reason::Forbidden, "CRDVAL-044", detail));
    }
}
