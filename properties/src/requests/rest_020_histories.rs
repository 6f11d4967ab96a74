//! REST-020: what several clients do to one object and see of it at the same time.

use crdible_scenario::{Act, Operation};

use super::thing::create_of;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("rest-020-histories", plan)
    .title("concurrent reads and writes of one object are linearizable")
    .asserts(&["REST-013", "REST-020"])
    .needs(&[Capability::Storing])
    .times(7);

/// What is wrong if no order explains the answers.
const BLAMES: &[(&str, &[&str])] = &[("create-otherwise", &["REST-013"]), ("no-order", &["REST-020"])];

/// This number of concurrent writes never gives up: a server tries again a few times (REST-035).
const MOST: usize = 4;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let number = json!({ "type": "integer" });
    let definition = plan.define_schema(root_of(object_of(json!({ "a": number, "b": number }))));
    plan.case_parts(choices, "object", |plan, choices| {
        let object = plan.next_object();
        let mut history = History { plan, definition, object, operations: Vec::new(), seen: Vec::new(), keeps: false };
        history.keeps = choices.draw(1) == 0;
        let created = history.create();
        history.plan.assume(created, Expectation::Accepted);
        history.seen.push(created);
        choices.many_average("round", 1, 5, 3, |choices, round| history.round(choices, round));
        history.read();
        let last = history.operations.last().map_or(created, |last| last.step);
        let operations = history.operations;
        let expect = Expectation::OneOrder(operations);
        plan.check_blaming("one-order", &["REST-013", "REST-020"], last, expect, BLAMES);
    });
}

/// What was done to one object so far.
struct History<'a> {
    plan: &'a mut Plan,
    definition: usize,
    object: usize,
    operations: Vec<Operation>,
    /// Steps of earlier rounds that showed the object.
    seen: Vec<StepId>,
    /// Whether it is never deleted. Only then something can be sent back: what was seen of it is an object.
    keeps: bool,
}

impl History<'_> {
    /// Operations that are sent together.
    fn round(&mut self, choices: &mut Choices, round: usize) {
        let before = self.operations.len();
        choices.many_average("operation", 1, MOST, 2, |choices, at| {
            let value = json!(10 * (round + 1) + at);
            let field = *choices.pick(&["a", "b"]);
            match choices.draw(4) {
                0 => self.read(),
                1 => self.list(),
                2 => self.patch(field, &value),
                _ if self.keeps => {
                    let seen = *choices.pick(&self.seen);
                    self.put(seen, field, &value)
                }
                3 => self.delete(),
                _ => self.create(),
            };
        });
        let sent: Vec<StepId> = self.operations[before..].iter().map(|operation| operation.step).collect();
        sent.iter().skip(1).for_each(|&step| self.plan.send_together(step));
        let shows = |operation: &&Operation| matches!(operation.act, Act::Read);
        let shown = self.operations[before..].iter().filter(shows).map(|operation| operation.step);
        self.seen.extend(shown);
    }

    fn send(&mut self, request: Request, act: Act) -> StepId {
        let step = self.plan.send(request);
        self.plan.varies(step);
        self.operations.push(Operation { step, act });
        step
    }

    fn resource(&self) -> Resource {
        Resource::Object { definition: self.definition, version: "v1".to_owned(), object: self.object }
    }

    fn create(&mut self) -> StepId {
        let content = json!({ "spec": { "a": 0, "b": 0 } });
        let request = create_of(self.definition, self.object, content.clone());
        self.send(request, Act::Create { content })
    }

    fn read(&mut self) -> StepId {
        self.send(Request::get(self.resource()), Act::Read)
    }

    fn list(&mut self) -> StepId {
        let collection = Resource::objects(self.definition, "v1");
        self.send(Request::get(collection), Act::List { object: self.object })
    }

    fn patch(&mut self, field: &str, value: &Value) -> StepId {
        let patch = json!({ "spec": { field: value } });
        let request = Request::merge_patch(self.resource(), patch.clone());
        self.send(request, Act::Merge { patch })
    }

    fn put(&mut self, seen: StepId, field: &str, value: &Value) -> StepId {
        let pointer = format!("/spec/{field}");
        let edits = vec![Edit::Set(pointer.clone(), value.clone())];
        let request = Request::put(self.resource(), Body::Answer { step: seen, edits });
        self.send(request, Act::Put { seen, pointer, value: value.clone() })
    }

    fn delete(&mut self) -> StepId {
        self.send(Request::delete(self.resource()), Act::Delete)
    }
}
