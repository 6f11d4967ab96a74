//! RATCHET-005: elements of map lists are compared with the old elements that have the same keys, at any index.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use super::shared::{Asserts, tightened_updates};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ratchet-005-map-lists", plan)
    .title("an element of a map list is ratcheted against the old element with the same keys")
    .asserts(&["RATCHET-005", "RATCHET-005/e1", "INV-084"])
    .needs(&[Capability::Storing, Capability::Validation]);

const ASSERTS: Asserts = Asserts {
    unchanged: &["RATCHET-005", "INV-084"],
    forgiven: &["RATCHET-005", "RATCHET-005/e1", "INV-084"],
    enforced: &["RATCHET-005", "RATCHET-005/e1"],
};

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape =
        TightenedShape { leaves: 2, objects: 1, maps: 0, map_lists: 6, lists: 0, own_rules: false, max_depth: 2 };
    tightened_updates(plan, choices, &shape, TightenedSchema::edited, &ASSERTS)
}
