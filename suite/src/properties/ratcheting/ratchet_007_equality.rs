//! RATCHET-007: a permuted map list is unchanged, an object with another set of keys is not.

use crdible_generators::{
    choice::Choices,
    update::{Ground, GroundShape},
};
use serde_json::json;

use super::shared::{Asserts, Change, Example, examples, root, updates};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Cause, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-007-equality",
    title: "objects and lists with map lists in another order count as unchanged, those with one key more or less do not",
    asserts: &["RATCHET-007", "INV-084"],
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[Edge { name: "same-keys", plan: same_keys }],
    plan,
};

const ASSERTS: Asserts =
    Asserts { unchanged: &["RATCHET-007", "INV-084"], forgiven: &["RATCHET-007"], enforced: &["RATCHET-007"] };

fn plan(choices: &mut Choices) -> Scenario {
    let shape = GroundShape { leaves: 1, objects: 2, maps: 2, map_lists: 5, lists: 0, own_rules: true, max_depth: 2 };
    // One in three is any update: an equality that says yes to everything would pass all permutations.
    let change: Change = if choices.chance(1, 3) { Ground::edited } else { Ground::permuted };
    updates(choices, &shape, change, &ASSERTS)
}

fn same_keys() -> Scenario {
    let any = || json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let counted = || json!({ "type": "object", "additionalProperties": { "type": "integer" }, "minProperties": 9 });
    let sibling = || json!({ "type": "integer" });
    let asserts: &[&str] = &["RATCHET-007"];
    let example = |name, old, new, is_same: bool| Example {
        name,
        asserts,
        old: json!({ "m": old, "q": 0 }),
        new: json!({ "m": new, "q": 1 }),
        causes: if is_same { vec![] } else { vec![Cause::new("spec.m", "Invalid")] },
    };
    examples(
        root(&json!({ "m": any(), "q": sibling() }), &json!({})),
        root(&json!({ "m": counted(), "q": sibling() }), &json!({})),
        vec![
            example("same", json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }), true),
            example("empty", json!({}), json!({}), true),
            example("one-less", json!({ "a": 1, "b": 2 }), json!({ "a": 1 }), false),
            example("one-more", json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), false),
            example("emptied", json!({ "a": 1 }), json!({}), false),
            example("filled", json!({}), json!({ "a": 0 }), false),
            example("renamed", json!({ "a": 1 }), json!({ "b": 1 }), false),
            example("other-value", json!({ "a": 1 }), json!({ "a": 2 }), false),
        ],
    )
}
