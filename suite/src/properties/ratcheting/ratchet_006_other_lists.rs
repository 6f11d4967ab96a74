//! RATCHET-006: all other lists are forgiven as a whole or not at all.

use crdible_generators::{
    choice::Choices,
    update::{Ground, GroundShape},
};

use super::shared::{Asserts, updates};
use crate::{
    properties::{Capability, Property},
    scenario::Scenario,
};

pub(super) const PROPERTY: Property = Property {
    id: "ratchet-006-other-lists",
    title: "once anything in an atomic list, a set or a list of no type changed, every element is validated in full",
    asserts: &["RATCHET-006", "RATCHET-006/e1", "INV-084"],
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

const ASSERTS: Asserts = Asserts {
    unchanged: &["RATCHET-006"],
    forgiven: &["RATCHET-006"],
    enforced: &["RATCHET-006", "RATCHET-006/e1", "INV-084"],
};

fn plan(choices: &mut Choices) -> Scenario {
    let shape = GroundShape { leaves: 2, objects: 1, maps: 0, map_lists: 1, lists: 6, own_rules: false, max_depth: 2 };
    updates(choices, &shape, Ground::edited, &ASSERTS)
}
