//! RATCHET-005: elements of map lists are compared with the old elements that have the same keys, at any index.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use super::shared::{Asserts, tightened_updates};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-005-map-lists",
    title: "an element of a map list is ratcheted against the old element with the same keys",
    asserts: &["RATCHET-005", "RATCHET-005/e1", "INV-084"],
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

const ASSERTS: Asserts = Asserts {
    unchanged: &["RATCHET-005", "INV-084"],
    forgiven: &["RATCHET-005", "RATCHET-005/e1", "INV-084"],
    enforced: &["RATCHET-005", "RATCHET-005/e1"],
};

fn plan(choices: &mut Choices) -> Scenario {
    let shape =
        TightenedShape { leaves: 2, objects: 1, maps: 0, map_lists: 6, lists: 0, own_rules: false, max_depth: 2 };
    tightened_updates(choices, &shape, TightenedSchema::edited, &ASSERTS)
}
