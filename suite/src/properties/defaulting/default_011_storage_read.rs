//! DEFAULT-011: defaults that the schema learns later show in every read of old objects, which stay as they are.

use crdible_generators::choice::Choices;

use super::{
    planted::{Gap, Planted},
    shared::unchanged,
};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Request, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-011-storage-read",
    title: "a default added to the schema shows in GET and LIST of objects stored before, without a write",
    asserts: &["DEFAULT-011", "DEFAULT-011/e1", "LIFE-024"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

/// Fewer than ten, so that the list has them in the order of their numbers.
const OLD_OBJECTS: usize = 4;

fn plan(choices: &mut Choices) -> Scenario {
    let planted = Planted::draw(choices);
    let mut plan = Plan::new();
    let definition = plan.definition(&planted.bare);
    let old = choices.many("object", 1, OLD_OBJECTS, |choices, _| {
        let object = planted.object(choices, Gap::Optional);
        (plan.create(definition, object.body), object.complete)
    });
    plan.install(definition, &planted.schema);
    let reads: Vec<_> = old.iter().map(|(created, _)| plan.get(*created)).collect();
    // One in four: a list right after a change of the schema may have to wait a second (429).
    let queries =
        if choices.chance(1, 4) { vec![vec![], vec![("resourceVersion".to_owned(), "0".to_owned())]] } else { vec![] };
    let lists: Vec<_> = queries
        .into_iter()
        .map(|query| {
            let request = Request::get(Resource::Objects { definition, version: "v1".to_owned() });
            plan.send(Request { query, ..request })
        })
        .collect();
    let asserts = &["DEFAULT-011", "DEFAULT-011/e1"];
    for (index, ((created, complete), read)) in old.into_iter().zip(reads).enumerate() {
        unchanged(&mut plan, "read", &["DEFAULT-011/e1", "LIFE-024"], read, created);
        for &list in &lists {
            let same =
                Expectation::SameAt { pointer: format!("/items/{index}/spec"), r#as: read, other: "/spec".to_owned() };
            plan.check("listed", asserts, list, same);
        }
        plan.check("read", asserts, read, Expectation::Content(complete));
        plan.count_case();
    }
    plan.finish()
}
