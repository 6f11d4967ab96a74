//! INV-037: two definitions with the same versions in different orders are listed in the same order.

use crdible_generators::versions::{VersionMix, version_list};

use super::shared::{define, list_everywhere, reordered};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-037-permutation-invariant", plan)
    .title("the order of versions in a definition makes no difference to the order in any discovery document")
    .asserts(&["INV-037", "VER-004", "VER-005"])
    .needs(&[Capability::Serving, Capability::Discovery]);

/// Each is a definition of its own.
const ORDERS: usize = 3;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let versions = version_list(choices, &VersionMix::default());
    // Further definitions rather than one that changes: an answer from before the change would hide a different order.
    let first = define(plan, &versions);
    let expected = list_everywhere(plan, first, &versions);
    let mut orders = vec![versions.clone()];
    // Two versions have only one other order.
    let others = ORDERS.min(versions.len().saturating_sub(1));
    choices.cases_up_to("order", others, |choices, _| {
        let permuted = reordered(choices, &versions, &orders);
        let other = define(plan, &permuted);
        let actual = list_everywhere(plan, other, &permuted);
        for (name, (expected, actual)) in
            ["group", "groups", "aggregated"].into_iter().zip(expected.into_iter().zip(actual))
        {
            let same = NamedCheck::SameListing.against(expected);
            plan.check(name, &["INV-037", "VER-004", "VER-005"], actual, same);
        }
        orders.push(permuted);
        plan.count_case();
    });
}
