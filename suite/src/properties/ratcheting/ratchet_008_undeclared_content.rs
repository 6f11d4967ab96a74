//! RATCHET-008: an object that holds what no schema describes never counts as unchanged. A quirk.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Example, examples, root};
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Scenario},
};

const ASSERTS: &[&str] = &["RATCHET-008", "RATCHET-008/e1"];

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-008-undeclared-content",
    title: "an unchanged object with an undeclared key is not forgiven; its declared children, scalars and lists are",
    asserts: ASSERTS,
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

fn plan(choices: &mut Choices) -> Scenario {
    let (node, keywords, causes): (Value, Value, Vec<Cause>) = match choices.draw(2) {
        0 => (
            json!({ "type": "object", PRESERVE: true, "properties": { "p": { "type": "string" } } }),
            json!({ "minProperties": 9, "properties": { "p": { "type": "string", "maxLength": 2 } } }),
            vec![Cause::new("spec.o", "Invalid")],
        ),
        1 => (
            json!({ "type": "object", "additionalProperties": true }),
            json!({ "minProperties": 9 }),
            vec![Cause::new("spec.o", "Invalid")],
        ),
        _ => (json!({ PRESERVE: true }), json!({ "not": {} }), vec![Cause::new("<nil>", "Invalid")]),
    };
    let is_untyped = node.get("type").is_none();
    let declares = node.get("properties").is_some();
    let mut tight = node.clone();
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        tight[keyword] = value.clone();
    }
    let updates = choices.many("update", 1, 5, |choices, _| {
        let (name, value, is_known) = match choices.draw(4) {
            0 => ("undeclared", json!({ "x": 1 }), false),
            1 => ("empty", json!({}), true),
            // A child with a schema is forgiven by itself.
            2 => ("declared", json!({ "p": "xxx" }), declares),
            3 if is_untyped => ("array", json!([{ "x": 1 }]), true),
            4 if is_untyped => ("scalar", json!("text"), true),
            _ => ("both", json!({ "p": "xxx", "x": 1 }), false),
        };
        Example {
            name,
            asserts: ASSERTS,
            old: json!({ "o": value, "q": 0 }),
            new: json!({ "o": value, "q": 1 }),
            causes: if is_known { vec![] } else { causes.clone() },
        }
    });
    let schema = |node: &Value| root(&json!({ "o": node, "q": { "type": "integer" } }), &json!({}));
    examples(schema(&node), schema(&tight), updates)
}
