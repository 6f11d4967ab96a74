//! STRUCT-033: the rules of lists and maps hold below preserving nodes and inside embedded resources.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{
    EMBEDDED, Example, JUDGING, LIST_TYPE, MAP_TYPE, PIECES, PRESERVE, TOPOLOGY, alone, place, refused,
};
use crate::{
    properties::{Edge, Property},
    scenario::{Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "struct-033-topology-everywhere",
    title: "list and map topology is judged at every structural node below preserving nodes and embedded resources, metadata included",
    asserts: &["STRUCT-033"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&examples()) }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    choices.many("example", 1, PIECES, |choices, _| {
        let mut examples = choices.pick(TOPOLOGY)();
        examples.retain(Example::is_refused_node);
        let example = choices.pick(&examples);
        // A default in embedded metadata has rules of its own (CRDVAL-051).
        let kinds = if example.schema.to_string().contains("\"default\"") { KINDS - 1 } else { KINDS };
        let (around, below) = surround(usize::try_from(choices.draw(kinds as u64 - 1)).unwrap_or(0), &example.schema);
        let place = place(choices, &around);
        let defined = plan.try_define(place.schema);
        plan.check_causes(
            example.name,
            &["STRUCT-033"],
            defined,
            example.causes_below(&format!("{}{below}", place.path)),
        );
        plan.count_case();
    });
    plan.finish()
}

const KINDS: usize = 5;

/// A preserving or embedded node around a piece, and the path from it to the piece.
fn surround(kind: usize, piece: &Value) -> (Value, &'static str) {
    match kind {
        0 => (json!({ PRESERVE: true, "properties": { "a": piece } }), ".properties[a]"),
        1 => (json!({ "type": "array", PRESERVE: true, "items": piece }), ".items"),
        2 => (json!({ "type": "object", EMBEDDED: true, "properties": { "a": piece } }), ".properties[a]"),
        3 => (
            json!({ "type": "object", EMBEDDED: true, PRESERVE: true, "properties": { "a": piece } }),
            ".properties[a]",
        ),
        _ => {
            let metadata = json!({ "type": "object", "properties": { "a": piece } });
            (
                json!({ "type": "object", EMBEDDED: true, "properties": { "metadata": metadata } }),
                ".properties[metadata].properties[a]",
            )
        }
    }
}

pub(super) fn examples() -> Vec<Example> {
    const RULE: &[&str] = &["STRUCT-033"];
    let list = || json!({ "type": "array", LIST_TYPE: "list", "items": { "type": "string" } });
    let map = || json!({ "type": "object", MAP_TYPE: "map" });
    vec![
        refused(
            "preserving",
            RULE,
            surround(0, &list()).0,
            &[(".properties[a].x-kubernetes-list-type", "NotSupported")],
        ),
        refused("preserving-list", RULE, surround(1, &map()).0, &[(".items.x-kubernetes-map-type", "NotSupported")]),
        refused("embedded", RULE, surround(2, &list()).0, &[(".properties[a].x-kubernetes-list-type", "NotSupported")]),
        refused(
            "embedded-metadata",
            RULE,
            surround(4, &map()).0,
            &[(".properties[metadata].properties[a].x-kubernetes-map-type", "NotSupported")],
        ),
    ]
}
