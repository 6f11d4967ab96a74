//! STRUCT-035: the schemas of all versions are validated when a definition is created.

use super::shared::{JUDGING, broken_pieces, check_versions, versions_with_pieces};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("struct-035-every-version", plan)
    .title("when a definition is created, the causes of all versions' schemas are reported together")
    .asserts(&["STRUCT-035"])
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let all = broken_pieces();
    choices.many("definition", 1, 3, |choices, _| {
        let (mut versions, causes) = versions_with_pieces(choices, &all);
        let stored = choices.index(versions.len());
        for (number, version) in versions.iter_mut().enumerate() {
            version.storage = number == stored;
        }
        let definition = plan.uninstalled();
        let defined = plan.try_define_versions(definition, versions);
        check_versions(plan, defined, causes);
    });
}
