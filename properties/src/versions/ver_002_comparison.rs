//! VER-002 and VER-005: the order of versions in the three documents that show it.

use crdible_generators::versions::{VersionMix, version_list};

use super::shared::{STORAGE, count_pairs, define, in_order, list_everywhere};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ver-002-comparison", plan)
    .title("discovery lists versions by stability and number, then all other names as text")
    .asserts(&["VER-002", "VER-002/e1", "VER-002/e2", "VER-005", "VER-005/e1", "DISC-002", "DISC-003"])
    .needs(&[Capability::Serving, Capability::Discovery])
    .edges(&[
        Edge { name: "example-of-the-specification", plan: example },
        Edge { name: "dash-digits-letters", plan: dash_digits_letters },
    ]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut versions = version_list(choices, &VersionMix::default());
    // Being the storage version does not move a version to the front.
    if choices.chance(1, 4) {
        versions.push(STORAGE.to_owned());
    }
    ordered(plan, &versions, &["VER-002"])
}

/// Stability is compared before the major number: the edge of VER-002, in reverse order.
fn example(plan: &mut Plan) {
    let names = [
        "foo10",
        "v11alpha2",
        "v3beta1",
        "v1",
        "v10beta3",
        "v2",
        "foo1",
        "v12alpha1",
        "v10",
        "v11beta2",
        "v2beta9",
        "v10alpha1",
    ];
    ordered(plan, &names.map(str::to_owned), &["VER-002", "VER-002/e2"])
}

fn dash_digits_letters(plan: &mut Plan) {
    ordered(plan, &["a", "aa", "a1", "a-1", "v1alpha1", "v", "u9"].map(str::to_owned), &["VER-002", "VER-002/e1"])
}

fn ordered(plan: &mut Plan, versions: &[String], asserts: &[&str]) {
    let definition = define(plan, versions);
    let documents = list_everywhere(plan, definition, versions);
    let places: [(&str, &[&str]); 3] = [
        ("order-in-group", &["VER-005", "VER-005/e1", "DISC-003"]),
        ("order-in-groups", &["VER-005", "VER-005/e1", "DISC-002"]),
        ("order-aggregated", &["VER-005"]),
    ];
    for (read, (name, places)) in documents.into_iter().zip(places) {
        plan.check(name, &[asserts, places].concat(), read, Expectation::GroupOrder(in_order(versions)));
    }
    count_pairs(plan, versions);
}
