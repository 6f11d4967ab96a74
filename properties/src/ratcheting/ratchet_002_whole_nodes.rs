//! RATCHET-002: a node that is unchanged as a whole is forgiven everything in it, including its own keywords.

use crdible_generators::update::{TightenedSchema, TightenedShape};

use super::shared::{Asserts, tightened_updates};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ratchet-002-whole-nodes", plan)
    .title("an unchanged object or list is forgiven as a whole")
    .asserts(&["RATCHET-002", "RATCHET-002/e1", "RATCHET-003"])
    .needs(&[Capability::Storing, Capability::Validation]);

const ASSERTS: Asserts = Asserts {
    unchanged: &["RATCHET-002", "RATCHET-002/e1"],
    forgiven: &["RATCHET-002", "RATCHET-002/e1"],
    enforced: &["RATCHET-002/e1", "RATCHET-003"],
};

fn plan(plan: &mut Plan, choices: &mut Choices) {
    tightened_updates(
        plan,
        choices,
        &TightenedShape { objects: 3, ..TightenedShape::default() },
        TightenedSchema::edited,
        &ASSERTS,
    )
}
