//! PRUNE-020: a body is pruned by the schema of its own version.

use crdible_generators::{choice::Choices, value};
use serde_json::Value;

use super::shared::{Declared, dry_run, plain_shape, post, versions};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["PRUNE-020"];

pub(super) const PROPERTY: Property = Property {
    id: "prune-020-requested-version",
    title: "a property that only the other version declares is unknown in a body",
    asserts: ASSERTS,
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[],
    plan,
};

const OBJECTS: usize = 4;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let shape = plain_shape(choices);
    let (large, declared) = Declared::draw(choices, &shape);
    let small = declared.out_of_schema(&large);
    // The version with less is the stored one or the other.
    let (poor, definition) = if choices.chance(1, 2) {
        ("v2", plan.define(versions(&large, &small)))
    } else {
        ("v1", plan.define(versions(&small, &large)))
    };
    choices.many("object", 1, OBJECTS, |choices, number| {
        let content = value::valid(choices, &large);
        let left = declared.out_of_content(&content);
        let request = |mode, fields: Value| dry_run(post(definition, poor, number, fields), mode);
        let created = plan.send(request(None, content.clone()));
        plan.check("pruned", ASSERTS, created, Expectation::Content(left.clone()));
        let paths = declared.paths(&content);
        let strict = plan.send(request(Some("Strict"), content));
        let expect = if paths.is_empty() { Expectation::Content(left) } else { Expectation::StrictRefusal(paths) };
        plan.check("reported", ASSERTS, strict, expect);
        plan.count_case();
    });
    plan.finish()
}
