//! VER-003: names tie only if their numbers are equal, and are then adjacent.

use crdible_generators::versions::{VersionMix, version_list};

use super::shared::{count_pairs, define, in_classes, list};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ver-003-ties", plan)
    .title("only names with equal version numbers may be listed in either order")
    .asserts(&["VER-003"])
    .needs(&[Capability::Serving, Capability::Discovery])
    .edges(&[Edge { name: "leading-zeros", plan: leading_zeros }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut versions = version_list(choices, &VersionMix::default());
    // Adds a twin with a leading zero to some names that have a number: a tie, if the name is kube-like.
    for at in 0..versions.len() {
        let twin = choices.chance(1, 2).then(|| versions[at].replacen('v', "v0", 1));
        if let Some(twin) = twin.filter(|twin| twin.len() <= 63 && !versions.contains(twin)) {
            versions.push(twin);
        }
    }
    classed(plan, &versions)
}

fn leading_zeros(plan: &mut Plan) {
    classed(plan, &["v1", "v2", "v01", "v001", "v1beta2", "v1beta02", "v1beta1"].map(str::to_owned))
}

fn classed(plan: &mut Plan, versions: &[String]) {
    let definition = define(plan, versions);
    let read = list(plan, definition, versions);
    plan.check("classes", &["VER-003"], read, NamedCheck::ListingInClasses { classes: in_classes(versions) });
    count_pairs(plan, versions);
}
