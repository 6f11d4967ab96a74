//! INV-037: two definitions with the same versions in different orders are listed in the same order.

use crdible_generators::{
    choice::Choices,
    versions::{VersionMix, version_list},
};

use super::shared::{define, list_everywhere};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-037-permutation-invariant",
    title: "the order of versions in a definition makes no difference to the order in any discovery document",
    asserts: &["INV-037", "VER-004", "VER-005"],
    needs: &[Capability::Serving, Capability::Discovery],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let versions = version_list(choices, &VersionMix::default());
    let permuted = permutation(choices, &versions);
    let mut plan = Plan::new();
    // Two definitions rather than one that changes: an answer from before the change would hide a different order.
    let (first, second) = (define(&mut plan, &versions), define(&mut plan, &permuted));
    let expected = list_everywhere(&mut plan, first, &versions);
    let actual = list_everywhere(&mut plan, second, &permuted);
    for (name, (expected, actual)) in
        ["group", "groups", "aggregated"].into_iter().zip(expected.into_iter().zip(actual))
    {
        let same = Expectation::named("same-listing@1", expected);
        plan.check(name, &["INV-037", "VER-004", "VER-005"], actual, same);
    }
    plan.count_case();
    plan.finish()
}

/// Each element is picked from the remaining ones; the simplest choice reverses the list, so that the order always
/// differs.
fn permutation(choices: &mut Choices, versions: &[String]) -> Vec<String> {
    let mut left: Vec<String> = versions.to_vec();
    let mut permuted = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let from_end = usize::try_from(choices.draw(left.len() as u64 - 1)).unwrap_or(0);
        permuted.push(left.remove(left.len() - 1 - from_end));
    }
    permuted
}
