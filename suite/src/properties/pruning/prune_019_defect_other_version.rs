//! PRUNE-019, where kube-apiserver 1.36 breaks it: only a version that is not the stored one calls the position embedded.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{Site, embedded, object_meta, parse, versions};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

/// A list is not asked for: kube-apiserver answers 429 for ever, and a client that obeys it never gets to a verdict.
const ASSERTS: &[&str] = &["PRUNE-019"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-019-defect-other-version",
    title: "an object with bad meta fields is read at a version that calls it embedded, though the stored one does not",
    asserts: ASSERTS,
    needs: &[Capability::Storing],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::direct();
    let any = site.schema(parse(&json!({ "x-kubernetes-preserve-unknown-fields": true })));
    let definition = plan.define(versions(&any, &site.schema(embedded(true))));
    let mut object = json!({ "apiVersion": "v1", "kind": "X", "metadata": {}, "a": 1 });
    match choices.draw(2) {
        0 => object["apiVersion"] = json!(5),
        1 => object["kind"] = json!(5),
        _ => {
            let (key, wrong) = choices.pick(object_meta::WRONG);
            object["metadata"][*key] = wrong();
        }
    }
    let created = plan.create(definition, site.content(&object));
    let read = plan.get_at(created, "v2");
    plan.check(
        "read",
        ASSERTS,
        read,
        Expectation::At { pointer: format!("{}/a", site.pointer()), value: Some(json!(1)) },
    );
    plan.finish()
}
