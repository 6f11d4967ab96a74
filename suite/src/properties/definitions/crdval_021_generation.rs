//! CRDVAL-020, CRDVAL-021: the generation counts changes of the spec, and status is not for the main endpoint.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{INSTALLING, merge, own, patch};
use crate::{
    properties::Property,
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-021-generation",
    title: "generation grows by one with each change of the spec and with nothing else, and a status that is sent is ignored",
    asserts: &["CRDVAL-021", "CRDVAL-021/e1", "CRDVAL-020"],
    needs: INSTALLING,
    edges: &[],
    plan,
};

/// How many updates follow each other.
const UPDATES: usize = 6;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let (definition, read) = own(&mut plan, &["v2"]);
    let mut generation = 1;
    let expect = Expectation::At { pointer: "/metadata/generation".into(), value: Some(json!(generation)) };
    plan.check("new", &["CRDVAL-021"], read, expect);
    choices.many("update", 1, UPDATES, |choices, number| {
        let (name, asserts, updated): (_, &[&str], _) = match choices.weighted(&[2, 2, 2, 1]) {
            0 => {
                generation += 1;
                ("changed", &["CRDVAL-021"], merge(&mut plan, definition, change(choices, number)))
            }
            1 => {
                let labels = json!({ "metadata": { "labels": { "number": number.to_string() }, "generation": 77 } });
                ("metadata", &["CRDVAL-021"], merge(&mut plan, definition, labels))
            }
            2 => {
                let nothing: Value = choices.pick(&nothing()).clone();
                ("nothing", &["CRDVAL-021/e1"], merge(&mut plan, definition, nothing))
            }
            _ => {
                let operations = json!([
                    { "op": "replace", "path": "/status/storedVersions", "value": ["v1", "v2"] },
                    { "op": "add", "path": "/status/acceptedNames/singular", "value": "other" },
                ]);
                let updated = patch(&mut plan, definition, operations);
                let same = Expectation::SameAt { pointer: "/status".into(), r#as: read, other: "/status".into() };
                plan.check("status", &["CRDVAL-020"], updated, same);
                ("status-generation", &["CRDVAL-020", "CRDVAL-021"], updated)
            }
        };
        let expect = Expectation::At { pointer: "/metadata/generation".into(), value: Some(json!(generation)) };
        plan.check(name, asserts, updated, expect);
        plan.count_case();
    });
    plan.finish()
}

/// A change of the spec that leaves the status as it is: the number makes each another one.
fn change(choices: &mut Choices, number: usize) -> Value {
    let version = |name: &str, storage: bool, schema: Value| json!({ "name": name, "served": true, "storage": storage, "schema": { "openAPIV3Schema": schema } });
    let property = format!("p{number}");
    let schema = match choices.draw(2) {
        0 => json!({ "type": "object", "properties": { property: { "type": "string" } } }),
        1 => json!({ "type": "object", "description": property }),
        _ => json!({ "type": "object", "properties": { "spec": { "type": "object", "required": [property] } } }),
    };
    let other = json!({ "type": "object" });
    if choices.chance(1, 2) {
        return json!({ "spec": { "versions": [version("v1", true, schema), version("v2", false, other)] } });
    }
    json!({ "spec": { "versions": [version("v1", true, other), version("v2", false, schema)] } })
}

/// Updates that change nothing of what the spec means.
fn nothing() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "spec": { "names": { "shortNames": [] } } }),
        json!({ "spec": { "conversion": null } }),
        json!({ "spec": { "preserveUnknownFields": false } }),
        json!({ "spec": { "names": { "categories": [] } } }),
        json!({ "spec": { "names": { "singular": null } } }),
    ]
}
