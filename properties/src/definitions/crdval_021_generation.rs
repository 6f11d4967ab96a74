//! CRDVAL-020, CRDVAL-021: the generation counts changes of the spec, and the main endpoint ignores status. That
//! `/status` ignores the spec will be asserted by the properties of the whole API.

use super::shared::INSTALLING;
use crate::prelude::*;
use crate::shared::definitions::{condition, established, merge, patch, put, read};

pub(super) const PROPERTY: Property = Property::new("crdval-021-generation", plan)
    .title("the generation of a definition increases by one with each change of its spec, and only then")
    .asserts(&["CRDVAL-021", "CRDVAL-021/e1", "CRDVAL-020"])
    .needs(INSTALLING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (definition, new) = established(plan, &["v2"]);
    let mut generation = 1;
    let expect = at("/metadata/generation", json!(generation));
    plan.check("new", &["CRDVAL-021"], new, expect);
    choices.cases("update", |choices, number| {
        let (name, asserts, updated): (_, &[&str], _) = match choices.weighted(&[2, 2, 2, 1]) {
            0 => {
                generation += 1;
                ("changed", &["CRDVAL-021"], merge(plan, definition, change(choices, number)))
            }
            1 => {
                let labels = json!({ "metadata": { "labels": { "number": number.to_string() }, "generation": 77 } });
                ("metadata", &["CRDVAL-021"], merge(plan, definition, labels))
            }
            2 => {
                let no_op: Value = choices.pick(&no_ops()).clone();
                ("nothing", &["CRDVAL-021/e1"], merge(plan, definition, no_op))
            }
            _ => {
                let updated = write_status(choices, plan, definition);
                for pointer in ["/status/storedVersions", "/status/acceptedNames"] {
                    let same = Expectation::SameAt { pointer: pointer.into(), r#as: new, other: pointer.into() };
                    plan.check("status", &["CRDVAL-020"], updated, same);
                }
                for (kind, status) in [("Established", Some("True")), ("MadeUp", None)] {
                    plan.check("conditions", &["CRDVAL-020"], updated, condition(kind, status));
                }
                ("status-generation", &["CRDVAL-021"], updated)
            }
        };
        let expect = at("/metadata/generation", json!(generation));
        plan.check(name, asserts, updated, expect);
        plan.count_case();
    });
}

/// An update through the main endpoint with another status: other lists, other names, and conditions that no controller
/// set.
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
            let status: Map<String, Value> =
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

/// A change of the spec that does not affect the status; the number makes each change unique.
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

/// Updates that do not change the meaning of the spec.
fn no_ops() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "spec": { "names": { "shortNames": [] } } }),
        json!({ "spec": { "conversion": null } }),
        json!({ "spec": { "preserveUnknownFields": false } }),
        json!({ "spec": { "names": { "categories": [] } } }),
        json!({ "spec": { "names": { "singular": null } } }),
    ]
}
