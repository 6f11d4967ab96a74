//! VER-004: the client chooses the order of versions in the definition, and discovery ignores it.

use crdible_generators::{
    choice::Choices,
    versions::{VersionMix, version_list},
};

use super::shared::{define, list, serving};
use crate::{
    properties::{Capability, Property, shared::at},
    scenario::{Expectation, Plan, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "ver-004-spec-order",
    title: "a definition keeps the order of its versions, and a different order changes nothing in discovery",
    asserts: &["VER-004"],
    needs: &[Capability::Serving, Capability::Discovery],
    edges: &[],
    plan,
};

/// No generated list contains it.
const ADDED: &str = "added-later";

fn plan(choices: &mut Choices) -> Scenario {
    let versions = version_list(choices, &VersionMix::default());
    // One more version distinguishes the new document from the old one.
    let reversed: Vec<String> = versions.iter().rev().cloned().chain([ADDED.to_owned()]).collect();
    let mut plan = Plan::new();
    let definition = define(&mut plan, &versions);
    let before = list(&mut plan, definition, &versions);
    plan.install_versions(definition, serving(&reversed));
    let kept = plan.read(Resource::Definition { definition });
    for (index, name) in reversed.iter().enumerate() {
        let named = at(format!("/spec/versions/{index}/name"), name.as_str());
        plan.check("kept-order", &["VER-004"], kept, named);
    }
    let after = list(&mut plan, definition, &reversed);
    plan.check("same-discovery", &["VER-004"], before, Expectation::named("listing-within@1", after));
    plan.count_case();
    plan.finish()
}
