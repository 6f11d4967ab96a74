//! VER-001: the order of versions shows which names are kube-like.

use crdible_generators::versions::{VersionMix, version_list};

use super::shared::{define, in_order, list};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property {
    id: "ver-001-kube-like-form",
    title: "exactly the names vN, vNalphaM and vNbetaM, with int64 numbers, sort as Kubernetes versions",
    asserts: &["VER-001", "VER-001/e1"],
    needs: &[Capability::Serving, Capability::Discovery],
    edges: &[
        Edge { name: "almost-kube-like", plan: almost_kube_like },
        Edge { name: "numbers-at-64-bits", plan: numbers_at_64_bits },
    ],
    plan,
};

/// Two to four names, most of them one letter away from the form.
fn plan(choices: &mut Choices) -> Scenario {
    let versions = version_list(choices, &VersionMix { like: 1, almost: 6, max: 4, ..VersionMix::default() });
    ordered(&versions, &["VER-001"])
}

fn almost_kube_like() -> Scenario {
    ordered(
        &["v1beta", "v01", "v1rc1", "v0", "v1beta0", "v", "v1alpha", "v1-1"].map(str::to_owned),
        &["VER-001", "VER-001/e1"],
    )
}

fn numbers_at_64_bits() -> Scenario {
    let names =
        ["v9223372036854775807", "v9223372036854775808", "v1beta9223372036854775808", "v99999999999999999999", "v1"];
    ordered(&names.map(str::to_owned), &["VER-001", "VER-001/e1"])
}

fn ordered(versions: &[String], asserts: &[&str]) -> Scenario {
    let mut plan = Plan::new();
    let definition = define(&mut plan, versions);
    let read = list(&mut plan, definition, versions);
    plan.check("order", asserts, read, Expectation::GroupOrder(in_order(versions)));
    versions.iter().for_each(|_| plan.count_case());
    plan.finish()
}
