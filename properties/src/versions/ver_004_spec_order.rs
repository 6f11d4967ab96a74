//! VER-004: the client chooses the order of versions in the definition, and discovery ignores it.

use crdible_generators::versions::{VersionMix, version_list};

use super::shared::{define, list, reordered, serving};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ver-004-spec-order", plan)
    .title("a definition keeps its versions in the order in which they were written")
    .asserts(&["VER-004"])
    .needs(&[Capability::Serving, Capability::Discovery]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut versions = version_list(choices, &VersionMix::default());
    let definition = define(plan, &versions);
    let mut before = list(plan, definition, &versions);
    choices.cases("change", |choices, number| {
        versions = reordered(choices, &versions, std::slice::from_ref(&versions));
        // One more version distinguishes the new document from the old one. No generated list contains it.
        versions.push(format!("added-later-{number}"));
        plan.install_versions(definition, serving(&versions));
        let kept = plan.read(Resource::Definition { definition });
        for (index, name) in versions.iter().enumerate() {
            let named = at(format!("/spec/versions/{index}/name"), name.as_str());
            plan.check("kept-order", &["VER-004"], kept, named);
        }
        let after = list(plan, definition, &versions);
        plan.check("same-discovery", &["VER-004"], before, NamedCheck::ListingWithin.against(after));
        before = after;
        plan.count_case();
    });
}
