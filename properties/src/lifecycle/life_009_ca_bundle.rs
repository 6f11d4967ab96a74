//! LIFE-009, LIFE-008: a definition whose webhook has an unparsable certificate bundle is not established until that
//! is mended.

use super::shared::{condition_for, established, make, schema};
use crate::prelude::*;
use crate::shared::{
    all,
    definitions::{check_causes, merge, read, try_merge},
};

pub(super) const PROPERTY: Property = Property::new("life-009-ca-bundle", plan)
    .title("a new definition with an unparsable caBundle is not established until the bundle is fixed")
    .asserts(&["LIFE-004", "LIFE-009"])
    .needs(&[
        Capability::Serving,
        Capability::Conditions,
        Capability::Discovery,
        Capability::DefinitionUpdates,
        Capability::DefinitionUpdateValidation,
    ]);

/// Base64 of bytes that are not a certificate.
const BROKEN: [&str; 3] = ["bm8=", "LS0t", "eA=="];

fn webhook(bundle: Option<&str>) -> Value {
    let mut client = json!({ "url": "https://converter.example.com/" });
    if let Some(bundle) = bundle {
        client["caBundle"] = json!(bundle);
    }
    json!({ "strategy": "Webhook", "webhook": { "clientConfig": client, "conversionReviewVersions": ["v1"] } })
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.uninstalled();
    let conversion = webhook(Some(choices.pick::<&str>(&BROKEN)));
    let versions = vec![Version::only(schema(&[]))];
    let made = make(plan, definition, versions, vec![Edit::Set("/spec/conversion".into(), conversion)]);
    plan.check("made", &["LIFE-009"], made, Expectation::Accepted);
    // Further updates that do not mend it.
    for number in 0..=choices.draw(2) {
        plan.count_case();
        if number > 0 {
            let patch = match choices.draw(1) {
                0 => json!({ "metadata": { "labels": { "l": format!("x{number}") } } }),
                _ => json!({ "spec": { "conversion": webhook(Some(choices.pick::<&str>(&BROKEN))) } }),
            };
            let patched = merge(plan, definition, patch);
            plan.check("still-broken", &["LIFE-009"], patched, Expectation::Accepted);
        }
        let settled = read(plan, definition);
        let broken = condition_for("Established", "False", "InvalidCABundle");
        let accepted = condition_for("NamesAccepted", "True", "NoConflicts");
        plan.repeat_until(settled, all([accepted.clone(), broken.clone()]));
        plan.check("not-established", &["LIFE-009"], settled, broken);
        plan.check("names-accepted", &["LIFE-009"], settled, accepted);
        plan.check("form", &["LIFE-009"], settled, NamedCheck::Conditions);
    }
    let resources = plan.read(Resource::GroupVersion { definition, version: "v1".into() });
    plan.check("not-shown", &["LIFE-009"], resources, Expectation::Status(404));

    let conversion = choices.pick(&[webhook(None), json!({ "strategy": "None", "webhook": null })]).clone();
    // A merge patch keeps the bundle unless it says otherwise.
    let mut mending = json!({ "spec": { "conversion": conversion } });
    if conversion["strategy"] == "Webhook" {
        mending["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"] = Value::Null;
    }
    let mended = merge(plan, definition, mending);
    plan.check("mended", &["LIFE-009"], mended, Expectation::Accepted);
    let settled = established(plan, definition);
    let expected = condition_for("Established", "True", "InitialNamesAccepted");
    plan.check("established", &["LIFE-009"], settled, expected.clone());

    let conversion = webhook(Some(choices.pick::<&str>(&BROKEN)));
    let refused = try_merge(plan, definition, json!({ "spec": { "conversion": conversion } }));
    let field = "spec.conversion.webhook.clientConfig.caBundle".to_owned();
    check_causes(plan, "refused", &["LIFE-004", "LIFE-009"], refused, &[(field, Reason::Invalid)]);
    let after = read(plan, definition);
    plan.check("stays-established", &["LIFE-004"], after, expected);
}
