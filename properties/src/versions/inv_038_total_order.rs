//! INV-038: the order of two versions does not depend on other versions.

use crdible_generators::versions::{VersionMix, version_list};

use super::shared::{define, list};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-038-total-order", plan)
    .title("discovery lists two versions in the same order with and without a third version")
    .asserts(&["INV-038", "VER-003"])
    .needs(&[Capability::Serving, Capability::Discovery]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let versions = version_list(choices, &VersionMix { min: 3, max: 3, ..VersionMix::default() });
    let triple = define(plan, &versions);
    let whole = list(plan, triple, &versions);
    for left_out in 0..versions.len() {
        let mut pair = versions.clone();
        pair.remove(left_out);
        let definition = define(plan, &pair);
        let part = list(plan, definition, &pair);
        plan.check("pair", &["INV-038", "VER-003"], part, NamedCheck::ListingWithin.against(whole));
        plan.count_case();
    }
}
