//! DEFAULT-005: elements are defaulted one by one, and none is added or removed.

use super::entries::{Holder, scenario};
use crate::prelude::*;

const ASSERTS: &[&str] = &["DEFAULT-005"];

pub(super) const PROPERTY: Property = Property::new("default-005-arrays", plan)
    .title("a null list element is kept if it is nullable, else defaulted if possible, else rejected")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Defaulting])
    .edges(&[Edge { name: "elements-of-lists-of-lists", plan: lists_of_lists }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    scenario(plan, choices, Holder::List, ASSERTS)
}

fn lists_of_lists(plan: &mut Plan) {
    let item = object_of(json!({ "a": { "type": "integer", "default": 1 } }));
    let inner = json!({ "type": "array", "items": with_default(&item, &json!({})), "default": [{ "a": 2 }] });
    let root = spec_of(json!({ "outer": { "type": "array", "items": inner } }));
    let body = json!({ "spec": { "outer": [[], null, [{}, null, { "a": 3 }]] } });
    let expected = json!({ "spec": { "outer": [[], [{ "a": 2 }], [{ "a": 1 }, { "a": 1 }, { "a": 3 }]] } });
    plan.try_objects(
        root,
        [
            Example::becomes("elements", ASSERTS, body, expected),
            Example::kept("none-added", ASSERTS, json!({ "spec": { "outer": [] } })),
        ],
    )
}
