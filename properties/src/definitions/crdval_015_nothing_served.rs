//! CRDVAL-015: a definition without a served version is established, and serves nothing.

use super::shared::INSTALLING;
use crate::prelude::*;
use crate::shared::definitions::{condition, established_unserved};

pub(super) const PROPERTY: Property = Property::new("crdval-015-nothing-served", plan)
    .title("a definition without a served version becomes established and serves nothing")
    .asserts(&["CRDVAL-015/e1"])
    .needs(INSTALLING);

/// What the requests are about.
const UNSERVED: &str = "of a definition without a served version";

/// Versions besides the first.
const FURTHER: [&str; 4] = ["v2", "v3", "v1beta1", "other"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let further = choices.many("further", 0, FURTHER.len(), |_, number| FURTHER[number]);
    let (definition, read) = established_unserved(plan, &further);
    plan.check("established", &["CRDVAL-015/e1"], read, condition("Established", Some("True")));
    let group = plan.read(Resource::Group { definition });
    plan.check("no-group", &["CRDVAL-015/e1"], group, Expectation::Status(404));
    plan.clause(UNSERVED);
    for version in ["v1"].into_iter().chain(further) {
        let version = || version.to_owned();
        for (name, resource) in [
            ("no-version", Resource::GroupVersion { definition, version: version() }),
            ("no-resource", Resource::Objects { definition, version: version() }),
        ] {
            let answer = plan.read(resource);
            plan.check(name, &["CRDVAL-015/e1"], answer, Expectation::Status(404));
            plan.clause(UNSERVED);
        }
        plan.count_case();
    }
    let groups = plan.read(Resource::Groups { definition });
    plan.check("not-listed", &["CRDVAL-015/e1"], groups, NamedCheck::NotListed);
}
