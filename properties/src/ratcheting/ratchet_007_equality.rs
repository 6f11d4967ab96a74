//! RATCHET-007: a map list in another order is unchanged; an object with other keys is changed.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use super::shared::{Asserts, Change, tightened_updates};
use crate::prelude::*;
use crate::shared::Updates;

pub(super) const PROPERTY: Property = Property::new("ratchet-007-equality", plan)
    .title("a map list in another order counts as unchanged, and an object with other keys as changed")
    .asserts(&["RATCHET-007", "INV-084"])
    .needs(&[Capability::Storing, Capability::Validation])
    .edges(&[Edge { name: "same-keys", plan: same_keys }]);

const ASSERTS: Asserts =
    Asserts { unchanged: &["RATCHET-007", "INV-084"], forgiven: &["RATCHET-007"], enforced: &["RATCHET-007"] };

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape =
        TightenedShape { leaves: 1, objects: 2, maps: 2, map_lists: 5, lists: 0, own_rules: true, max_depth: 2 };
    // One in three is an arbitrary update: an equality that is always true would pass all permutations.
    let change: Change = if choices.chance(1, 3) { TightenedSchema::edited } else { TightenedSchema::permuted };
    tightened_updates(plan, choices, &shape, change, &ASSERTS)
}

fn same_keys(plan: &mut Plan) {
    let map = || json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let counted = extended(map(), &json!({ "minProperties": 9 }));
    let schema = |map: Value| spec_of(json!({ "m": map, "q": { "type": "integer" } }));
    let update = |name, old: Value, new: Value, is_same: bool| {
        let causes = if is_same { vec![] } else { vec![(".m", "Invalid")] };
        let new = json!({ "m": new, "q": 1 });
        Updates::new(json!({ "m": old, "q": 0 }), [Example::judged(name, &["RATCHET-007"], new, causes)])
    };
    plan.try_updates(
        schema(map()),
        schema(counted),
        [
            update("same", json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }), true),
            update("empty", json!({}), json!({}), true),
            update("one-less", json!({ "a": 1, "b": 2 }), json!({ "a": 1 }), false),
            update("one-more", json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), false),
            update("emptied", json!({ "a": 1 }), json!({}), false),
            update("filled", json!({}), json!({ "a": 0 }), false),
            update("renamed", json!({ "a": 1 }), json!({ "b": 1 }), false),
            update("other-value", json!({ "a": 1 }), json!({ "a": 2 }), false),
        ],
    )
}
