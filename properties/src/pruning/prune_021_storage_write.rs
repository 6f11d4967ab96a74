//! PRUNE-021: a write loses the fields that the storage version does not declare.

use super::shared::{Declared, plain_shape};
use crate::prelude::*;
use crate::shared::definitions::two_versions;

pub(super) const PROPERTY: Property = Property::new("prune-021-storage-write", plan)
    .title("a write permanently loses a property that the storage version does not declare")
    .asserts(&["PRUNE-021", "PRUNE-021/e1"])
    .needs(&[Capability::Storing, Capability::Pruning, Capability::DefinitionUpdates]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = plain_shape(choices);
    let (large, declared) = Declared::draw(choices, &shape);
    let small = declared.remove_from_schema(&large).to_json();
    let large_json = large.to_json();
    let definition = plan.define_versions(two_versions(small, large_json.clone()));
    let mut lost = Vec::new();
    plan.cases(choices, "object", |plan, choices| {
        let content = value::valid(choices, &large);
        let left = Expectation::Content(declared.remove_from_content(&content));
        for mode in ["Strict", "Warn"] {
            let tried = plan.try_create_validating_at(definition, "v2", mode, content.clone());
            plan.check("dry-run", &["PRUNE-021/e1"], tried, left.clone());
            plan.check("no-warning", &["PRUNE-021/e1"], tried, Expectation::UnknownFieldWarnings(vec![]));
        }
        let created = plan.create_at(definition, "v2", content);
        plan.check("created", &["PRUNE-021"], created, left.clone());
        for version in ["v1", "v2"] {
            let read = plan.get_at(created, version);
            plan.check("read", &["PRUNE-021"], read, left.clone());
        }
        lost.push((created, left));
    });
    plan.install_versions(definition, two_versions(large_json.clone(), large_json));
    for (created, left) in lost {
        let read = plan.get(created);
        plan.check("lost-for-good", &["PRUNE-021"], read, left);
    }
}
