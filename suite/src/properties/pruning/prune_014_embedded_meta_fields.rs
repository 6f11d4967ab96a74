//! PRUNE-014: an embedded object keeps its type and its whole metadata, and is pruned beside them like any object.

use crdible_generators::choice::Choices;
use serde_json::{Map, Value, json};

use super::shared::{Example, Outcome, Site, examples, object_meta, parse, undeclared};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-014"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-014-embedded-meta-fields",
    title: "an embedded object keeps apiVersion, kind and all of ObjectMeta, declared or not; its other keys follow the schema",
    asserts: &["PRUNE-014", "PRUNE-015"],
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[Edge { name: "beside-and-below", plan: beside_and_below }],
    plan,
};

const OBJECTS: usize = 5;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::draw(choices);
    let mut node = json!({ "type": "object", "x-kubernetes-embedded-resource": true });
    node["properties"] = json!({ "a": { "type": "integer" } });
    match choices.draw(3) {
        0 => {}
        1 => node["properties"]["metadata"] = json!({ "type": "object" }),
        2 => {
            node["properties"]["metadata"] = json!({ "type": "object", "properties": { "name": { "type": "string" } } })
        }
        _ => node["properties"]["kind"] = json!({ "type": "string" }),
    }
    let preserves = choices.chance(1, 3);
    if preserves {
        node["x-kubernetes-preserve-unknown-fields"] = json!(true);
    }
    let definition = plan.definition(&site.schema(parse(&node)));
    choices.many("object", 1, OBJECTS, |choices, _| {
        let mut kept = Map::from_iter([("apiVersion".to_owned(), json!("v1")), ("kind".to_owned(), json!("X"))]);
        kept.insert("metadata".to_owned(), Value::Object(object_meta::kept(choices)));
        kept.insert("a".to_owned(), json!(1));
        let more = undeclared(choices);
        let mut sent = kept.clone();
        sent.extend(more.clone());
        if preserves {
            kept.extend(more);
        }
        let created = plan.try_create(definition, site.content(&Value::Object(sent)));
        plan.check("embedded", ASSERTS, created, Expectation::Content(site.content(&Value::Object(kept))));
        plan.count_case();
    });
    plan.finish()
}

/// The exemption holds for the three keys of the embedded object, and nowhere around it.
fn beside_and_below() -> Scenario {
    let resource = || json!({ "apiVersion": "v1", "kind": "X", "metadata": { "name": "x" } });
    let embedded = |properties: Value| json!({ "type": "object", "x-kubernetes-embedded-resource": true, "properties": properties });
    let mut holder = resource();
    holder["o"] = resource();
    let mut emptied = resource();
    emptied["o"] = json!({});
    examples(vec![
        Example {
            name: "below",
            asserts: &["PRUNE-014", "PRUNE-015"],
            node: embedded(json!({ "o": { "type": "object" } })),
            sent: holder,
            outcome: Outcome::Kept(emptied),
        },
        Example {
            name: "around",
            asserts: &["PRUNE-015"],
            node: json!({ "type": "object", "properties": { "o": embedded(json!({ "kind": { "type": "string" } })) } }),
            sent: json!({ "o": resource(), "apiVersion": "v1", "kind": "X", "metadata": {} }),
            outcome: Outcome::Kept(json!({ "o": resource() })),
        },
    ])
}
