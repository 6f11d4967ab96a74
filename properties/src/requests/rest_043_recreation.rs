//! REST-013, REST-043: a name that existed before is created again, while other objects are written.

use super::thing::create_of;
use crate::prelude::*;
use crate::shared::differs_at;

pub(super) const PROPERTY: Property = Property::new("rest-043-recreation", plan)
    .title("a create answers with what it stored, also of a deleted name and beside other writes")
    .asserts(&["REST-013", "REST-043", "INV-072"])
    .needs(&[Capability::Storing])
    .times(3);

/// The most objects that are written meanwhile.
const WRITERS: i64 = 4;
/// Something of an earlier life of the object.
const OF_BEFORE: &str = "/metadata/labels/before";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(root_of(object_of(json!({ "a": { "type": "integer" } }))));
    let writers: Vec<Resource> = (0..choices.between(1, WRITERS))
        .map(|_| {
            let created = plan.create(definition, json!({ "spec": { "a": 0 } }));
            plan.assume(created, Expectation::Accepted);
            plan.object_of(created)
        })
        .collect();
    plan.case_parts(choices, "object", |plan, choices| {
        let object = plan.next_object();
        let first = json!({ "spec": { "a": 0 }, "metadata": { "labels": { "before": "x" } } });
        let created = plan.send(create_of(definition, object, first));
        plan.assume(created, Expectation::Accepted);
        let lives = Lives { plan, definition, object, created, writers: &writers };
        lives.lead(choices);
    });
}

/// An object that is deleted and created again.
struct Lives<'a> {
    plan: &'a mut Plan,
    definition: usize,
    object: usize,
    /// The step that created it last.
    created: StepId,
    /// The objects that are written meanwhile.
    writers: &'a [Resource],
}

impl Lives<'_> {
    fn lead(mut self, choices: &mut Choices) {
        choices.many_average("life", 1, 4, 2, |choices, life| {
            let resource = self.plan.object_of(self.created);
            let deleted = self.meanwhile(choices, Request::delete(resource.clone()), 2 * life);
            self.plan.check("deleted", &["REST-043"], deleted, Expectation::Status(200));
            let content = json!({ "spec": { "a": life } });
            let create = create_of(self.definition, self.object, content.clone());
            let created = self.meanwhile(choices, create, 2 * life + 1);
            self.plan.check("created", &["REST-013"], created, accepted_as(201));
            self.plan.check("new-life", &["INV-072", "REST-043"], created, absent(OF_BEFORE));
            self.plan.check("new-uid", &["INV-072", "REST-043"], created, differs_at("/metadata/uid", self.created));
            let read = self.plan.read(resource);
            self.plan.check("content", &["REST-013"], read, Expectation::Content(content));
            // The answer of the create is to blame, and not what is read later.
            self.plan.check("as-answered", &["REST-013"], created, same_at("/metadata", read));
            // A client counts on this: it writes next with the resourceVersion that the create answered.
            let written = self.plan.try_put_back(created, vec![Edit::Set("/spec/a".to_owned(), json!(100 + life))]);
            self.plan.check("writable", &["REST-013"], written, Expectation::Accepted);
            self.created = created;
        });
    }

    /// Sends a request together with writes of the other objects, at any place among them.
    fn meanwhile(&mut self, choices: &mut Choices, request: Request, round: usize) -> StepId {
        let write = |resource: &Resource| Request::merge_patch(resource.clone(), json!({ "spec": { "a": round + 1 } }));
        let mut requests: Vec<Request> = self.writers.iter().map(write).collect();
        let place = choices.up_to(requests.len());
        requests.insert(place, request);
        self.plan.together(requests)[place]
    }
}
