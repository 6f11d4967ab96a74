//! STRUCT-035: the schemas of all versions are validated when a definition is updated.

use super::shared::{broken_pieces, check_versions, versions_with_pieces};
use crate::prelude::*;
use crate::shared::definitions::{replacing_versions, try_patch};

pub(super) const PROPERTY: Property = Property::new("struct-035-on-update", plan)
    .title("when a definition is updated, the causes of all versions' schemas are reported together")
    .asserts(&["STRUCT-035"])
    .needs(&[Capability::Serving]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let all = broken_pieces();
    // The storage version stays, because `storedVersions` lists it.
    let definition = plan.define_schema(spec_of(json!({})));
    choices.many("update", 1, 3, |choices, _| {
        let (versions, causes) = versions_with_pieces(choices, &all);
        let updated = try_patch(plan, definition, replacing_versions(&versions));
        check_versions(plan, updated, causes);
    });
}
