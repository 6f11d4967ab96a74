//! VER-001: the order of versions shows which names are kube-like.

use crdible_generators::versions::{VersionMix, version_list};

use super::shared::{define, in_order, list};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ver-001-kube-like-form", plan)
    .title("exactly the names vN, vNalphaM and vNbetaM, with int64 numbers, sort as Kubernetes versions")
    .asserts(&["VER-001", "VER-001/e1"])
    .needs(&[Capability::Serving, Capability::Discovery])
    .edges(&[
        Edge { name: "almost-kube-like", plan: almost_kube_like },
        Edge { name: "numbers-at-64-bits", plan: numbers_at_64_bits },
    ]);

/// Two to four names, most of them one letter away from the form.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let versions = version_list(choices, &VersionMix { like: 1, almost: 6, max: 4, ..VersionMix::default() });
    ordered(plan, &versions, &["VER-001"])
}

fn almost_kube_like(plan: &mut Plan) {
    ordered(
        plan,
        &["v1beta", "v01", "v1rc1", "v0", "v1beta0", "v", "v1alpha", "v1-1"].map(str::to_owned),
        &["VER-001", "VER-001/e1"],
    )
}

fn numbers_at_64_bits(plan: &mut Plan) {
    let names =
        ["v9223372036854775807", "v9223372036854775808", "v1beta9223372036854775808", "v99999999999999999999", "v1"];
    ordered(plan, &names.map(str::to_owned), &["VER-001", "VER-001/e1"])
}

fn ordered(plan: &mut Plan, versions: &[String], asserts: &[&str]) {
    let definition = define(plan, versions);
    let read = list(plan, definition, versions);
    plan.check("order", asserts, read, Expectation::GroupOrder(in_order(versions)));
    versions.iter().for_each(|_| plan.count_case());
}
