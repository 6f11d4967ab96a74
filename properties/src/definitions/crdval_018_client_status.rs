//! CRDVAL-018: the server sets the status of a new definition.

use crdible_generators::definition::definition;

use super::shared::{DEFINITIONS, JUDGING, try_document};
use crate::prelude::*;
use crate::shared::holds_nothing;

pub(super) const PROPERTY: Property = Property::new("crdval-018-client-status", plan)
    .title("the server sets storedVersions and generation of a new definition, whatever status is sent")
    .asserts(&["CRDVAL-018", "CRDVAL-021", "CRDVAL-008"])
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        let mut document = definition(choices);
        let versions = document["spec"]["versions"].as_array().cloned().unwrap_or_default();
        let stored = versions.iter().find(|version| version["storage"] == json!(true));
        let stored = stored.map_or(Value::Null, |version| version["name"].clone());
        if choices.chance(2, 3) {
            document["status"] = status(choices, &versions);
        }
        if choices.chance(1, 3) {
            document["metadata"]["generation"] = json!(choices.between(0, 9));
        }
        let defined = try_document(plan, document);
        let listed = at("/status/storedVersions", json!([stored]));
        plan.check("stored-versions", &["CRDVAL-018", "CRDVAL-008"], defined, listed);
        plan.check("generation", &["CRDVAL-021"], defined, at("/metadata/generation", 1));
        for (name, pointer) in [("no-conditions", "/status/conditions"), ("no-names", "/status/acceptedNames")] {
            plan.check(name, &["CRDVAL-018"], defined, holds_nothing(pointer));
        }
        plan.count_case();
    });
}

/// An arbitrary status sent by the client.
fn status(choices: &mut Choices, versions: &[Value]) -> Value {
    let mut status = json!({});
    match choices.draw(2) {
        0 => status["storedVersions"] = json!(["v0"]),
        1 => {
            status["storedVersions"] = json!(versions.iter().rev().map(|version| &version["name"]).collect::<Vec<_>>())
        }
        _ => status["storedVersions"] = json!([]),
    }
    if choices.chance(1, 2) {
        status["acceptedNames"] = json!({ "plural": "others", "kind": "Other" });
    }
    if choices.chance(1, 2) {
        status["conditions"] = json!([{ "type": "Established", "status": "True", "lastTransitionTime": "2020-01-01T00:00:00Z", "reason": "R", "message": "m" }]);
    }
    status
}
