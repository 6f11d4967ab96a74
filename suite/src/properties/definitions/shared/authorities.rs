//! Bundles of certificates for conversion webhooks: sound ones, and such that are none (CRDVAL-048).

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// A certificate that parses: signed by itself, of nobody.
const CERTIFICATE: &str = include_str!("authority.pem");

pub(crate) const RULE: &[&str] = &["CRDVAL-048"];
const EDGE: &[&str] = &["CRDVAL-048/e1"];

/// A bundle, whether it can stand in an established definition, and who says so.
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    pub(crate) name: &'static str,
    pub(crate) asserts: &'static [&'static str],
    text: String,
    pub(crate) is_sound: bool,
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
}

/// All bundles; the first is sound.
pub(crate) fn bundles() -> Vec<Bundle> {
    let junk = "-----BEGIN CERTIFICATE-----\nanVuaw==\n-----END CERTIFICATE-----\n";
    let bundle = |name, asserts, text: &str, is_sound| Bundle { name, asserts, text: text.to_owned(), is_sound };
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

/// Those that are no bundles of certificates.
pub(crate) fn broken() -> Vec<Bundle> {
    bundles().into_iter().filter(|bundle| !bundle.is_sound).collect()
}
