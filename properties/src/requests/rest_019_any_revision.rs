//! REST-019, REST-020: reads of any state, and reads of one resource after writes of another.

use std::collections::BTreeMap;

use crdible_scenario::{QueryFromAnswer, Seen};

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("rest-019-any-revision", plan)
    .title("reads with resourceVersion 0 catch up, and writes of another resource delay no list")
    .asserts(&["REST-019/e1", "REST-019/e2", "REST-020"])
    .needs(&[Capability::Storing])
    .edges(&[Edge { name: "first-object", plan: first_object }]);

/// Two resources, and what is there of each.
struct Resources<'a> {
    plan: &'a mut Plan,
    definitions: [usize; 2],
    /// The objects of each, with their step and number.
    there: [BTreeMap<usize, (StepId, i64)>; 2],
    /// The last write, with what it was of, if it showed a revision.
    last: Option<(usize, StepId)>,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut define = || plan.define_schema(schema());
    let definitions = [define(), define()];
    let mut resources = Resources { plan, definitions, there: Default::default(), last: None };
    choices.many_parts("write", 1, 7, |choices, number| resources.write(choices, number));
    choices.case_parts("reading", |choices, _| {
        resources.read(choices);
        resources.plan.count_case();
    });
}

/// The first object of a definition that is new.
fn first_object(plan: &mut Plan) {
    let definition = plan.define(Definition::of_schema(schema()).owned());
    let mut resources =
        Resources { plan, definitions: [definition, definition], there: Default::default(), last: None };
    resources.create(0, 1);
    resources.list_of_any(0);
    resources.list(0);
    resources.plan.count_case();
}

fn schema() -> Value {
    spec_of(json!({ "a": { "type": "integer" } }))
}

impl Resources<'_> {
    /// A create, a change or a deletion. Each changes something.
    fn write(&mut self, choices: &mut Choices, number: usize) {
        let (of, number) = (choices.index(2), i64::try_from(number).unwrap_or_default());
        let object = self.there[of].keys().nth(choices.up_to(2)).copied();
        match object {
            Some(object) if choices.chance(1, 3) => {
                let (created, _) = self.there[of][&object];
                self.there[of].remove(&object);
                let deleted = self.plan.send(Request::delete(self.plan.object_of(created)));
                self.plan.assume(deleted, Expectation::Accepted);
                self.last = None;
            }
            Some(object) => {
                let (created, _) = self.there[of][&object];
                let patched = self.plan.patch(created, Method::MergePatch, json!({ "spec": { "a": number } }));
                self.plan.assume(patched, Expectation::Accepted);
                self.there[of].insert(object, (created, number));
                self.last = Some((of, patched));
            }
            None => self.create(of, number),
        }
    }

    fn create(&mut self, of: usize, number: i64) {
        let object = self.plan.next_object();
        let content = content(number);
        let created = self.plan.send(super::thing::create_of(self.definitions[of], object, content));
        self.plan.assume(created, Expectation::Accepted);
        self.there[of].insert(object, (created, number));
        self.last = Some((of, created));
    }

    fn read(&mut self, choices: &mut Choices) {
        let of = choices.index(2);
        match choices.weighted(&[3, 2, 2, 3]) {
            0 => self.list_of_any(of),
            1 => self.list(of),
            2 => self.get_of_any(choices, of),
            _ => self.list_since_the_other(of),
        }
    }

    /// A list of any state, until it shows the present one.
    fn list_of_any(&mut self, of: usize) {
        let list = self.plan.send(of_any(Request::get(self.collection(of))));
        let states = self.state(of);
        self.plan.repeat_until(list, states.clone());
        self.plan.check("any-list", &["REST-019/e2"], list, states);
    }

    fn list(&mut self, of: usize) {
        let list = self.plan.send(Request::get(self.collection(of)));
        let states = self.state(of);
        self.plan.check("list", &["REST-020"], list, states);
    }

    /// A GET of any state, until it shows the present one.
    fn get_of_any(&mut self, choices: &mut Choices, of: usize) {
        let there: Vec<(StepId, i64)> = self.there[of].values().copied().collect();
        if there.is_empty() {
            return self.list_of_any(of);
        }
        let (created, number) = *choices.pick(&there);
        let read = self.plan.send(of_any(Request::get(self.plan.object_of(created))));
        let expected = Expectation::Content(content(number));
        self.plan.repeat_until(read, expected.clone());
        self.plan.check("any-object", &["REST-019/e2"], read, expected);
    }

    /// A list not older than the last write, which is of the other resource: a server that answers from a cache must not
    /// wait for a write of this one.
    fn list_since_the_other(&mut self, of: usize) {
        let Some((_, written)) = self.last.filter(|(other, _)| *other != of) else { return self.list(of) };
        let revision = QueryFromAnswer::revision_of(written);
        let collection = Request::get(self.collection(of));
        let list = self.plan.send(Request { query_from_answers: vec![revision], ..collection });
        // A replica may ask for patience.
        self.plan.repeat_until(list, Expectation::Accepted);
        let states = self.state(of);
        self.plan.check("since-the-other", &["REST-019/e1"], list, states);
    }

    fn collection(&self, of: usize) -> Resource {
        Resource::objects(self.definitions[of], "v1")
    }

    /// What a list of the present state shows.
    fn state(&self, of: usize) -> NamedCheck {
        let seen = |(object, (_, number)): (&usize, &(StepId, i64))| Seen {
            namespace: None,
            object: *object,
            content: content(*number),
        };
        NamedCheck::States { states: vec![self.there[of].iter().map(seen).collect()], expires: false }
    }
}

/// The same read, of any state.
fn of_any(request: Request) -> Request {
    Request { query: vec![("resourceVersion".to_owned(), "0".to_owned())], ..request }
}

fn content(number: i64) -> Value {
    json!({ "spec": { "a": number } })
}
