//! RATCHET-010 and RATCHET-011: which meta fields are forgiven what the schema says of them.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::only;
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Definition, Edit, Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-010-type-meta",
    title: "restrictions on the root's apiVersion and kind and what embedded objects lack are enforced at every update, those on names and on fields further down ratchet",
    asserts: &["RATCHET-010", "RATCHET-011"],
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let short = || json!({ "type": "string", "maxLength": 1 });
    let (mut tight, mut causes): (Vec<(&str, Value)>, Vec<Cause>) = (Vec::new(), Vec::new());
    for key in ["kind", "apiVersion"] {
        if choices.chance(1, 3) {
            tight.push((key, short()));
            causes.push(Cause::new(key, "TooLong"));
        }
    }
    let names = choices.chance(1, 3);
    if names {
        tight.push(("metadata", json!({ "type": "object", "properties": { "name": short() } })));
    }
    let embeds = choices.chance(1, 4);
    if embeds {
        causes.extend(["spec.e.apiVersion", "spec.e.kind"].map(|field| Cause::new(field, "Required")));
    }
    // What ends in `apiVersion` or `kind` further down is a field as any other.
    let spec = |is_tight: bool| {
        let string = || if is_tight { short() } else { json!({ "type": "string" }) };
        let mut embedded = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        if is_tight && embeds {
            embedded["x-kubernetes-embedded-resource"] = json!(true);
        }
        let properties = json!({
            "apiVersion": string(), "kind": string(), "q": { "type": "integer" }, "e": embedded,
        });
        json!({ "type": "object", "properties": properties })
    };
    let root = |is_tight: bool| {
        let mut root = json!({ "type": "object", "properties": { "spec": spec(is_tight) } });
        for (key, schema) in tight.iter().filter(|_| is_tight) {
            root["properties"][*key] = schema.clone();
        }
        root
    };
    let mut content = json!({ "spec": { "apiVersion": "long", "kind": "long", "q": 0 } });
    if embeds {
        content["spec"]["e"] = json!({ "a": 1 });
    }
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(root(false)));
    let created = plan.create(definition, content.clone());
    plan.install_versions(definition, only(root(true)));
    let updates = choices.many("update", 1, 3, |choices, _| choices.draw(2));
    for update in updates {
        let mut new = content.clone();
        let edit = match update {
            0 => Edit::Set("/metadata/annotations".into(), json!({ "a": "x" })),
            // Another wrong value further down is enforced, as anywhere.
            1 => {
                new["spec"]["kind"] = json!("other");
                Edit::Set("/spec/kind".into(), json!("other"))
            }
            _ => {
                new["spec"]["q"] = json!(1);
                Edit::Set("/spec/q".into(), json!(1))
            }
        };
        let put = plan.try_put_back(created, vec![edit]);
        let mut expected = causes.clone();
        if update == 1 {
            expected.push(Cause::new("spec.kind", "TooLong"));
        }
        let asserts: &[&str] = if names || embeds { &["RATCHET-010", "RATCHET-011"] } else { &["RATCHET-010"] };
        if expected.is_empty() {
            plan.check("forgiven", asserts, put, Expectation::Content(new));
        } else {
            plan.check_causes("enforced", asserts, put, expected);
        }
        plan.count_case();
    }
    plan.finish()
}
