//! DEFAULT-011: every read fills in defaults that were added to the schema after the object was stored, and leaves the
//! stored object unchanged.

use crdible_generators::choice::MOST_CASES;

use super::planted::{Gap, Planted};
use crate::prelude::*;
use crate::shared::unchanged;

const ASSERTS: &[&str] = &["DEFAULT-011", "DEFAULT-011/e1"];

pub(super) const PROPERTY: Property = Property::new("default-011-storage-read", plan)
    .title("a default that is added to the schema appears in reads of stored objects without a write")
    .asserts(&["DEFAULT-011", "DEFAULT-011/e1", "LIFE-024"])
    .needs(&[Capability::Storing, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let planted = Planted::draw(choices);
    let definition = plan.definition(&planted.bare);
    // One in four: a list right after a schema change may have to wait a second (429). A list shows a single object,
    // because the order of its items is not specified (REST-021).
    let is_listed = choices.chance(1, 4);
    let old = choices.cases_up_to("object", if is_listed { 1 } else { MOST_CASES }, |choices, _| {
        let object = planted.object(choices, Gap::Optional);
        (plan.create(definition, object.body), object.complete)
    });
    plan.install(definition, &planted.schema);
    let reads: Vec<_> = old.iter().map(|(created, _)| plan.get(*created)).collect();
    for ((created, complete), read) in old.into_iter().zip(reads) {
        unchanged(plan, "read", &["DEFAULT-011/e1", "LIFE-024"], read, created);
        if is_listed {
            list(plan, definition, read);
        }
        plan.check("read", ASSERTS, read, Expectation::Content(complete));
        plan.count_case();
    }
}

/// The object is the same in a list as in a GET.
fn list(plan: &mut Plan, definition: usize, read: StepId) {
    let same = |field: &str| Expectation::SameAt {
        pointer: format!("/items/0/{field}"),
        r#as: read,
        other: format!("/{field}"),
    };
    for query in [vec![], vec![("resourceVersion".to_owned(), "0".to_owned())]] {
        let is_of_any_state = !query.is_empty();
        let request = Request::get(Resource::objects(definition, "v1"));
        let listed = plan.send(Request { query, ..request });
        // Any state may be one from before the object was created (REST-019).
        if is_of_any_state {
            plan.repeat_until(listed, same("metadata/uid"));
        }
        plan.check("listed", ASSERTS, listed, same("spec"));
    }
}
