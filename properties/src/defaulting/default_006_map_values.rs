//! DEFAULT-006: the values of a map are defaulted one by one, and no key is added.

use super::entries::{Holder, scenario};
use crate::prelude::*;

const ASSERTS: &[&str] = &["DEFAULT-006", "DEFAULT-003"];

pub(super) const PROPERTY: Property = Property::new("default-006-map-values", plan)
    .title("a null map value is kept if it is nullable, else defaulted if possible, else dropped")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Defaulting])
    .edges(&[
        Edge { name: "values-of-maps-of-maps", plan: maps_of_maps },
        Edge { name: "lists-in-maps", plan: lists_in_maps },
    ]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    scenario(plan, choices, Holder::Map, ASSERTS)
}

fn maps_of_maps(plan: &mut Plan) {
    let value = object_of(json!({ "a": { "type": "integer", "default": 1 } }));
    let inner = json!({ "type": "object", "additionalProperties": with_default(&value, &json!({})) });
    let root = spec_of(json!({ "outer": { "type": "object", "additionalProperties": inner } }));
    let body = json!({ "spec": { "outer": { "x": {}, "y": { "k": {}, "l": null, "m": { "a": 3 } }, "z": null } } });
    let expected =
        json!({ "spec": { "outer": { "x": {}, "y": { "k": { "a": 1 }, "l": { "a": 1 }, "m": { "a": 3 } } } } });
    plan.try_objects(
        root,
        [
            Example::becomes("values", ASSERTS, body, expected),
            Example::kept("none-added", ASSERTS, json!({ "spec": { "outer": {} } })),
        ],
    )
}

fn lists_in_maps(plan: &mut Plan) {
    let item = object_of(json!({ "a": { "type": "integer", "default": 1 } }));
    let list = json!({ "type": "array", "items": with_default(&item, &json!({})) });
    let root = spec_of(json!({ "map": { "type": "object", "additionalProperties": list } }));
    let body = json!({ "spec": { "map": { "x": [{}, null, { "a": 3 }], "y": [], "z": null } } });
    let expected = json!({ "spec": { "map": { "x": [{ "a": 1 }, { "a": 1 }, { "a": 3 }], "y": [] } } });
    plan.try_objects(root, [Example::becomes("values", ASSERTS, body, expected)])
}
