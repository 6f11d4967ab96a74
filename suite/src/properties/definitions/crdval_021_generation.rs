//! CRDVAL-020, CRDVAL-021: the generation counts changes of the spec, and status is not for the main endpoint. That `/status` takes
//! nothing of the spec comes with the whole API as properties.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{INSTALLING, merge, own, patch, put, read};
use crate::{
    properties::Property,
    scenario::{Edit, Expectation, Plan, Scenario, StepId},
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
    let (definition, new) = own(&mut plan, &["v2"]);
    let mut generation = 1;
    let expect = Expectation::At { pointer: "/metadata/generation".into(), value: Some(json!(generation)) };
    plan.check("new", &["CRDVAL-021"], new, expect);
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
                let updated = write_status(choices, &mut plan, definition);
                for pointer in ["/status/storedVersions", "/status/acceptedNames"] {
                    let same = Expectation::SameAt { pointer: pointer.into(), r#as: new, other: pointer.into() };
                    plan.check("status", &["CRDVAL-020"], updated, same);
                }
                for (kind, status) in [("Established", json!("True")), ("MadeUp", Value::Null)] {
                    let arguments = json!({ "type": kind, "status": status });
                    let same = Expectation::Named { check: "condition@2".into(), of: None, arguments };
                    plan.check("conditions", &["CRDVAL-020"], updated, same);
                }
                ("status-generation", &["CRDVAL-020", "CRDVAL-021"], updated)
            }
        };
        let expect = Expectation::At { pointer: "/metadata/generation".into(), value: Some(json!(generation)) };
        plan.check(name, asserts, updated, expect);
        plan.count_case();
    });
    plan.finish()
}

/// An update through the main endpoint that has another status: other lists, other names, and conditions that nobody set.
fn write_status(choices: &mut Choices, plan: &mut Plan, definition: usize) -> StepId {
    let condition = |kind: &str, status: &str| {
        json!({
            "type": kind, "status": status, "lastTransitionTime": "2020-01-01T00:00:00Z", "reason": "R", "message": "m",
        })
    };
    let conditions = json!([condition("Established", "False"), condition("MadeUp", "True")]);
    let names = json!({ "plural": "others", "kind": "Other", "singular": "other", "listKind": "OtherList" });
    let all = [("storedVersions", json!(["v1", "v2"])), ("acceptedNames", names), ("conditions", conditions)];
    let mut written: Vec<_> = all.iter().filter(|_| choices.chance(1, 2)).cloned().collect();
    if written.is_empty() {
        written.push(choices.pick(&all).clone());
    }
    match choices.draw(2) {
        0 => {
            let replace =
                |(field, value)| json!({ "op": "replace", "path": format!("/status/{field}"), "value": value });
            patch(plan, definition, written.into_iter().map(replace).collect())
        }
        1 => {
            let status: serde_json::Map<String, Value> =
                written.into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
            merge(plan, definition, json!({ "status": status }))
        }
        _ => {
            let before = read(plan, definition);
            let set = |(field, value)| Edit::Set(format!("/status/{field}"), value);
            put(plan, definition, before, false, written.into_iter().map(set).collect())
        }
    }
}

/// A change of the spec that leaves the status as it is: the number makes each another one.
fn change(choices: &mut Choices, number: usize) -> Value {
    let version = |name: &str, storage: bool, schema: Value| json!({ "name": name, "served": true, "storage": storage, "schema": { "openAPIV3Schema": schema } });
    let property = format!("p{number}");
    if choices.chance(1, 3) {
        // Other parts of a version count as well.
        let mut other = version("v2", false, json!({ "type": "object" }));
        match choices.draw(2) {
            0 => other["additionalPrinterColumns"] = json!([{ "name": property, "type": "string", "jsonPath": ".a" }]),
            1 => {
                other["deprecated"] = json!(true);
                other["deprecationWarning"] = json!(property);
            }
            _ => {
                let path = format!(".spec.{property}");
                let scale = json!({ "specReplicasPath": path, "statusReplicasPath": ".status.replicas" });
                other["subresources"] = json!({ "scale": scale });
            }
        }
        return json!({ "spec": { "versions": [version("v1", true, json!({ "type": "object" })), other] } });
    }
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
