//! CRDVAL-048: the certificates of a conversion webhook, when an established definition is updated.

use base64::{Engine, engine::general_purpose::STANDARD};
use crdible_generators::choice::Choices;
use crdible_semantics::Reason;
use serde_json::{Value, json};

use super::shared::{UPDATING, check_causes, merge, own, try_merge};
use crate::{
    properties::{Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-048-authorities",
    title: "an established definition takes no certificates that are none, unless those that it has are none either",
    asserts: &["CRDVAL-048", "CRDVAL-048/e1"],
    needs: UPDATING,
    edges: &[Edge { name: "bundles", plan: all }],
    plan,
};

/// A certificate that parses: signed by itself, of nobody.
const CERTIFICATE: &str = include_str!("authority.pem");

/// How many updates are tried.
const UPDATES: usize = 4;

const RULE: &[&str] = &["CRDVAL-048"];
const EDGE: &[&str] = &["CRDVAL-048/e1"];

/// A bundle, whether it holds a certificate that parses, and who says so.
struct Bundle {
    name: &'static str,
    asserts: &'static [&'static str],
    text: String,
    is_sound: bool,
}

fn bundles() -> Vec<Bundle> {
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

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let (definition, _) = own(&mut plan, &[]);
    let bundles = bundles();
    // What is stored: no webhook, one without certificates, one with a sound one.
    match choices.draw(2) {
        0 => {}
        1 => stored(&mut plan, definition, &bundles[2]),
        _ => stored(&mut plan, definition, &bundles[0]),
    }
    choices.many("update", 1, UPDATES, |choices, _| {
        let bundle = choices.pick(&bundles);
        demand(&mut plan, definition, bundle);
    });
    plan.finish()
}

fn all() -> Scenario {
    let mut plan = Plan::new();
    let (definition, _) = own(&mut plan, &[]);
    for bundle in bundles() {
        demand(&mut plan, definition, &bundle);
    }
    plan.finish()
}

fn stored(plan: &mut Plan, definition: usize, bundle: &Bundle) {
    let updated = merge(plan, definition, webhook(bundle));
    plan.assume(updated, Expectation::Accepted);
}

/// Tries to update the definition to a webhook with this bundle.
fn demand(plan: &mut Plan, definition: usize, bundle: &Bundle) {
    let updated = try_merge(plan, definition, webhook(bundle));
    plan.count_case();
    if bundle.is_sound {
        return plan.check(bundle.name, bundle.asserts, updated, Expectation::Accepted);
    }
    let field = "spec.conversion.webhook.clientConfig.caBundle".to_owned();
    check_causes(plan, bundle.name, bundle.asserts, updated, &[(field, Reason::Invalid)]);
}

fn webhook(bundle: &Bundle) -> Value {
    let encoded = STANDARD.encode(&bundle.text);
    json!({ "spec": { "conversion": { "strategy": "Webhook", "webhook": {
        "clientConfig": { "url": "https://converter.example.com/", "caBundle": encoded },
        "conversionReviewVersions": ["v1"],
    } } } })
}
