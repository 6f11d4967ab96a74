//! PRUNE-021: what the storage version does not declare is lost when it is written.

use crdible_generators::{choice::Choices, value};

use super::shared::{Declared, dry_run, plain_shape, post, versions};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "prune-021-storage-write",
    title: "a property that the storage version lacks is lost for good, without a word",
    asserts: &["PRUNE-021", "PRUNE-021/e1"],
    needs: &[Capability::Storing, Capability::Pruning],
    edges: &[],
    plan,
};

const OBJECTS: usize = 3;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let shape = plain_shape(choices);
    let (large, declared) = Declared::draw(choices, &shape);
    let definition = plan.define(versions(&declared.out_of_schema(&large), &large));
    let mut lost = Vec::new();
    choices.many("object", 1, OBJECTS, |choices, number| {
        let content = value::valid(choices, &large);
        let left = Expectation::Content(declared.out_of_content(&content));
        for mode in ["Strict", "Warn"] {
            let tried = plan.send(dry_run(post(definition, "v2", number, content.clone()), Some(mode)));
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
        plan.count_case();
    });
    plan.install_versions(definition, versions(&large, &large).versions);
    for (created, left) in lost {
        let read = plan.get(created);
        plan.check("lost-for-good", &["PRUNE-021"], read, left);
    }
    plan.finish()
}
