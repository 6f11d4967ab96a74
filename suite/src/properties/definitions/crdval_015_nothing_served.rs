//! CRDVAL-015: a definition without a served version is established, and nothing of it is there.

use crdible_generators::choice::Choices;

use super::shared::{INSTALLING, unserved};
use crate::{
    properties::Property,
    scenario::{Expectation, Plan, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-015-nothing-served",
    title: "a definition of which no version is served is established, and its group, versions and resource are 404",
    asserts: &["CRDVAL-015/e1"],
    needs: INSTALLING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let further: &[&str] = if choices.chance(1, 2) { &["v2"] } else { &[] };
    let (definition, read) = unserved(&mut plan, further);
    let arguments = serde_json::json!({ "type": "Established", "status": "True" });
    let established = Expectation::Named { check: "condition@2".into(), of: None, arguments };
    plan.check("established", &["CRDVAL-015/e1"], read, established);
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
    let expect = Expectation::Named { check: "not-listed@1".into(), of: None, arguments: serde_json::Value::Null };
    plan.check("not-listed", &["CRDVAL-015/e1"], groups, expect);
    plan.count_case();
    plan.finish()
}
