//! DEFAULT-005: elements are defaulted one by one, and none is added or removed.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::{
    entries::{Holder, scenario},
    shared::{examples, object_of, root_of, with_default},
};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-005-arrays",
    title: "null elements become the default of items, stay where items are nullable, and fail where neither holds",
    asserts: &["DEFAULT-005"],
    needs: &[Capability::Serving, Capability::Defaulting],
    edges: &[Edge { name: "elements-of-lists-of-lists", plan: lists_of_lists }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    scenario(choices, Holder::List, &["DEFAULT-005"])
}

fn lists_of_lists() -> Scenario {
    let item = object_of(&json!({ "a": { "type": "integer", "default": 1 } }));
    let inner = json!({ "type": "array", "items": with_default(&item, &json!({})), "default": [{ "a": 2 }] });
    let root = root_of(&object_of(&json!({ "outer": { "type": "array", "items": inner } })));
    let body = json!({ "spec": { "outer": [[], null, [{}, null, { "a": 3 }]] } });
    let expected = json!({ "spec": { "outer": [[], [{ "a": 2 }], [{ "a": 1 }, { "a": 1 }, { "a": 3 }]] } });
    examples(
        root,
        &["DEFAULT-005"],
        vec![
            ("elements", body, Expectation::Content(expected)),
            (
                "none-added",
                json!({ "spec": { "outer": [] } }),
                Expectation::Content(json!({ "spec": { "outer": [] } })),
            ),
        ],
    )
}
