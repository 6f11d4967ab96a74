//! PRUNE-019, where kube-apiserver 1.36 breaks it: stored embedded metadata that is no object at all.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{Site, embedded, parse};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

/// A list is not asked for: kube-apiserver answers 429 for ever, and a client that obeys it never gets to a verdict.
const ASSERTS: &[&str] = &["PRUNE-019"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-019-defect-no-object",
    title: "a stored object whose embedded metadata is no object is read without it",
    asserts: ASSERTS,
    needs: &[Capability::Storing],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::direct();
    let any = site.schema(parse(&json!({ "x-kubernetes-preserve-unknown-fields": true })));
    let definition = plan.definition(&any);
    let metadata = choices.pick(&[json!("text"), json!(5), json!(true), json!(["a"])]).clone();
    let object = json!({ "apiVersion": "v1", "kind": "X", "a": 1, "metadata": metadata });
    let created = plan.create(definition, site.content(&object));
    plan.install(definition, &site.schema(embedded(true)));
    let read = plan.get(created);
    plan.check(
        "read",
        ASSERTS,
        read,
        Expectation::At { pointer: format!("{}/a", site.pointer()), value: Some(json!(1)) },
    );
    plan.finish()
}
