//! RATCHET-002: a node that is unchanged as a whole is forgiven all that is wrong in it, its own keywords included.

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
    id: "ratchet-002-whole-nodes",
    title: "required, counts and quantifiers of an object or list are forgiven while it is unchanged, and enforced once anything in it changed",
    asserts: &["RATCHET-002", "RATCHET-002/e1", "RATCHET-003"],
    needs: &[Capability::Storing, Capability::Validation],
    edges: &[],
    plan,
};

const ASSERTS: Asserts = Asserts {
    unchanged: &["RATCHET-002", "RATCHET-002/e1"],
    forgiven: &["RATCHET-002", "RATCHET-002/e1"],
    enforced: &["RATCHET-002/e1", "RATCHET-003"],
};

fn plan(choices: &mut Choices) -> Scenario {
    updates(choices, &GroundShape { objects: 3, ..GroundShape::default() }, Ground::edited, &ASSERTS)
}
