//! Certificate bundles for conversion webhooks, valid and invalid (CRDVAL-048).

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::prelude::*;
use crate::shared::definitions::{check_causes, try_merge};

/// A self-signed certificate that parses.
const CERTIFICATE: &str = include_str!("authority.pem");

pub(crate) const RULE: &[&str] = &["CRDVAL-048"];
const EDGE: &[&str] = &["CRDVAL-048/e1"];

/// A bundle, whether it is valid in an established definition, and the requirement that defines this.
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    pub(crate) name: &'static str,
    pub(crate) asserts: &'static [&'static str],
    text: String,
    pub(crate) is_valid: bool,
}

impl Bundle {
    /// `spec.conversion` with this bundle.
    pub(crate) fn conversion(&self) -> Value {
        let encoded = STANDARD.encode(&self.text);
        json!({ "strategy": "Webhook", "webhook": {
            "clientConfig": { "url": "https://converter.example.com/", "caBundle": encoded },
            "conversionReviewVersions": ["v1"],
        } })
    }

    /// Tries to update an established definition to a webhook with this bundle, and checks whether it is rejected.
    pub(crate) fn try_update(&self, plan: &mut Plan, definition: usize) {
        let updated = try_merge(plan, definition, json!({ "spec": { "conversion": self.conversion() } }));
        plan.count_case();
        if self.is_valid {
            return plan.check(self.name, self.asserts, updated, Expectation::Accepted);
        }
        let field = "spec.conversion.webhook.clientConfig.caBundle".to_owned();
        check_causes(plan, self.name, self.asserts, updated, &[(field, Reason::Invalid)]);
    }
}

/// All bundles; the first is valid.
pub(crate) fn bundles() -> Vec<Bundle> {
    let junk = "-----BEGIN CERTIFICATE-----\nanVuaw==\n-----END CERTIFICATE-----\n";
    let bundle = |name, asserts, text: &str, is_valid| Bundle { name, asserts, text: text.to_owned(), is_valid };
    vec![
        bundle("certificate", RULE, CERTIFICATE, true),
        bundle("a-word", RULE, "no", false),
        bundle("nothing", RULE, "", true),
        bundle("blanks", EDGE, " \n", false),
        bundle("block-without-a-certificate", EDGE, junk, false),
        bundle("certificate-in-a-text", EDGE, &format!("before\n{CERTIFICATE}behind\n"), true),
        bundle("certificate-behind-another-block", EDGE, &format!("{junk}{CERTIFICATE}"), true),
        bundle("key", RULE, &CERTIFICATE.replace(" CERTIFICATE", " PRIVATE KEY"), false),
    ]
}

/// The invalid bundles.
pub(crate) fn broken() -> Vec<Bundle> {
    bundles().into_iter().filter(|bundle| !bundle.is_valid).collect()
}
