//! INV-008: each value of a map is treated like the value of a property.

use super::shared::copies::{Copies, plan_copies};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-008-maps-are-value-wise", plan)
    .title("each value of a map is stored or rejected exactly like the same value at a property")
    .asserts(&["INV-008", "PRUNE-004", "PRUNE-004/e1"])
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[Edge { name: "exact-maps", plan: exact_maps }]);

const MAP: Copies = Copies {
    name: "map",
    asserts: &["INV-008", "PRUNE-004"],
    schema: |of| json!({ "type": "object", "additionalProperties": of }),
    keys: &["k", "metadata", "apiVersion", "kind", "0", "x-y", "$ref", "k.l", "", "a/b"],
    value: |values| Value::Object(values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
};

fn plan(plan: &mut Plan, choices: &mut Choices) {
    plan_copies(plan, choices, &MAP)
}

fn exact_maps(plan: &mut Plan) {
    const MAPS: &[&str] = &["PRUNE-004", "INV-008"];
    let object = || object_of(json!({ "a": { "type": "integer" } }));
    let map = |values: Value| json!({ "type": "object", "additionalProperties": values });
    plan.in_one_schema([
        Row::new(map(object())).with([Example::becomes(
            "keys-of-resources",
            MAPS,
            json!({ "metadata": { "a": 1, "name": "x" }, "kind": { "b": 1 }, "apiVersion": {} }),
            json!({ "metadata": { "a": 1 }, "kind": {}, "apiVersion": {} }),
        )]),
        Row::new(map(map(object()))).with([Example::becomes(
            "maps-of-maps",
            MAPS,
            json!({ "k": { "l": { "a": 1, "b": 2 }, "m": {} } }),
            json!({ "k": { "l": { "a": 1 }, "m": {} } }),
        )]),
        // Other keys next to declared properties are kept, but not the keys of objects there (a quirk, PRUNE-005).
        Row::new(extended(object_of(json!({ "o": object() })), &json!({ "additionalProperties": true }))).with([
            Example::becomes(
                "true-beside-properties",
                &["PRUNE-004/e1"],
                json!({ "o": { "a": 1, "b": 2 }, "s": "x", "n": null }),
                json!({ "o": { "a": 1 }, "s": "x", "n": null }),
            ),
        ]),
    ])
}
