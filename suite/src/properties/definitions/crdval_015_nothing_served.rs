//! CRDVAL-015: a definition without a served version is established, and serves nothing.

use crdible_generators::choice::Choices;
use serde_json::Value;

use super::shared::INSTALLING;
use crate::{
    properties::{
        Property,
        shared::definitions::{condition, established_unserved},
    },
    scenario::{Expectation, Plan, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-015-nothing-served",
    title: "a definition without a served version becomes established, and its group, versions and resource return 404",
    asserts: &["CRDVAL-015/e1"],
    needs: INSTALLING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let further: &[&str] = if choices.chance(1, 2) { &["v2"] } else { &[] };
    let (definition, read) = established_unserved(&mut plan, further);
    plan.check("established", &["CRDVAL-015/e1"], read, condition("Established", Some("True")));
    let version = || "v1".to_owned();
    for (name, resource) in [
        ("no-group", Resource::Group { definition }),
        ("no-version", Resource::GroupVersion { definition, version: version() }),
        ("no-resource", Resource::Objects { definition, version: version() }),
    ] {
        let answer = plan.read(resource);
        plan.check(name, &["CRDVAL-015/e1"], answer, Expectation::Status(404));
    }
    let groups = plan.read(Resource::Groups { definition });
    let expect = Expectation::named_with("not-listed@1", Value::Null);
    plan.check("not-listed", &["CRDVAL-015/e1"], groups, expect);
    plan.count_case();
    plan.finish()
}
