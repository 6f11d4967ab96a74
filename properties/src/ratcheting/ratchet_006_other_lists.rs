//! RATCHET-006: all other lists are forgiven as a whole or not at all.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use super::shared::{Asserts, tightened_updates};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ratchet-006-other-lists", plan)
    .title("once an atomic list or a set changes, every element is validated in full")
    .asserts(&["RATCHET-006", "RATCHET-006/e1", "INV-084"])
    .needs(&[Capability::Storing, Capability::Validation]);

const ASSERTS: Asserts = Asserts {
    unchanged: &["RATCHET-006"],
    forgiven: &["RATCHET-006"],
    enforced: &["RATCHET-006", "RATCHET-006/e1", "INV-084"],
};

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape =
        TightenedShape { leaves: 2, objects: 1, maps: 0, map_lists: 1, lists: 6, own_rules: false, max_depth: 2 };
    tightened_updates(plan, choices, &shape, TightenedSchema::edited, &ASSERTS)
}
