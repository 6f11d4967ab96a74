//! INV-008: a map does to each of its values what a property would do.

use crdible_generators::choice::Choices;
use crdible_semantics::{Schema, schema::AdditionalProperties};
use serde_json::{Value, json};

use super::shared::{
    Example, Outcome,
    copies::{Container, plan_copies},
    examples,
};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::Scenario,
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-008-maps-are-value-wise",
    title: "each value of a map is stored, or refused, like the same value of a property, whatever its key",
    asserts: &["INV-008", "PRUNE-004", "PRUNE-004/e1"],
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[Edge { name: "exact-maps", plan: exact_maps }],
    plan,
};

const MAP: Container = Container {
    name: "map",
    asserts: &["INV-008", "PRUNE-004"],
    schema: |of| Schema {
        type_name: "object".to_owned(),
        additional_properties: Some(AdditionalProperties::Schema(Box::new(of))),
        ..Schema::default()
    },
    keys: &["k", "metadata", "apiVersion", "kind", "0", "x-y", "$ref", "k.l", "", "a/b"],
    value: |values| Value::Object(values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
};

fn plan(choices: &mut Choices) -> Scenario {
    plan_copies(choices, &MAP)
}

fn exact_maps() -> Scenario {
    let asserts = &["PRUNE-004", "INV-008"];
    let object = || json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    examples(vec![
        Example {
            name: "keys-of-resources",
            asserts,
            node: json!({ "type": "object", "additionalProperties": object() }),
            sent: json!({ "metadata": { "a": 1, "name": "x" }, "kind": { "b": 1 }, "apiVersion": {} }),
            outcome: Outcome::Kept(json!({ "metadata": { "a": 1 }, "kind": {}, "apiVersion": {} })),
        },
        Example {
            name: "maps-of-maps",
            asserts,
            node: json!({ "type": "object", "additionalProperties": { "type": "object", "additionalProperties": object() } }),
            sent: json!({ "k": { "l": { "a": 1, "b": 2 }, "m": {} } }),
            outcome: Outcome::Kept(json!({ "k": { "l": { "a": 1 }, "m": {} } })),
        },
        // What else stands beside declared properties is kept, but for the inside of objects (a quirk, PRUNE-005).
        Example {
            name: "true-beside-properties",
            asserts: &["PRUNE-004/e1"],
            node: json!({ "type": "object", "properties": { "o": object() }, "additionalProperties": true }),
            sent: json!({ "o": { "a": 1, "b": 2 }, "s": "x", "n": null }),
            outcome: Outcome::Kept(json!({ "o": { "a": 1 }, "s": "x", "n": null })),
        },
    ])
}
