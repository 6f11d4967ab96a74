//! PRUNE-020: a body is pruned by the schema of its own version.

use super::shared::{Declared, plain_shape};
use crate::prelude::*;
use crate::shared::definitions::two_versions;

const ASSERTS: &[&str] = &["PRUNE-020"];

pub(super) const PROPERTY: Property = Property::new("prune-020-requested-version", plan)
    .title("a property that only another version declares is pruned from a body and reported as unknown")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Pruning]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = plain_shape(choices);
    let (large, declared) = Declared::draw(choices, &shape);
    let small = declared.remove_from_schema(&large);
    // Either version may be the one that lacks the property.
    let (narrow, definition) = if choices.chance(1, 2) {
        ("v2", plan.define_versions(two_versions(large.to_json(), small.to_json())))
    } else {
        ("v1", plan.define_versions(two_versions(small.to_json(), large.to_json())))
    };
    plan.cases(choices, "object", |plan, choices| {
        let content = value::valid(choices, &large);
        let left = declared.remove_from_content(&content);
        let created = plan.try_create_at(definition, narrow, content.clone());
        plan.check("pruned", ASSERTS, created, Expectation::Content(left.clone()));
        let paths = declared.paths(&content);
        let strict = plan.try_create_validating_at(definition, narrow, "Strict", content);
        let expect = if paths.is_empty() { Expectation::Content(left) } else { Expectation::StrictRefusal(paths) };
        plan.check("reported", ASSERTS, strict, expect);
    });
}
