//! REST-019, REST-026: reads of a state that is not older than a revision, or of exactly that one.

use std::collections::BTreeMap;

use crdible_scenario::{QueryFromAnswer, Seen};

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("rest-026-revisions", plan)
    .title("a list at exactly a resourceVersion shows what existed then, whatever changed since")
    .asserts(&["REST-019/e1", "REST-026/e1"])
    .needs(&[Capability::Storing]);

/// No server reaches this revision: the largest number that fits.
const NEVER: &str = "9223372036854775807";

/// What is there after a write.
struct Moment {
    /// A step whose answer has the revision.
    shown: StepId,
    there: BTreeMap<usize, i64>,
}

struct Past<'a> {
    plan: &'a mut Plan,
    definition: usize,
    created: Vec<StepId>,
    moments: Vec<Moment>,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_schema(spec_of(json!({ "a": { "type": "integer" } })));
    let mut past = Past { plan, definition, created: Vec::new(), moments: Vec::new() };
    choices.many_parts("write", 1, 7, |choices, number| past.write(choices, number));
    choices.case_parts("reading", |choices, _| {
        past.read(choices);
        past.plan.count_case();
    });
}

impl Past<'_> {
    fn there(&self) -> BTreeMap<usize, i64> {
        self.moments.last().map(|moment| moment.there.clone()).unwrap_or_default()
    }

    /// A create, a change or a deletion. Each changes something.
    fn write(&mut self, choices: &mut Choices, number: usize) {
        self.plan.count_case();
        let (mut there, content) = (self.there(), i64::try_from(number).unwrap_or_default());
        let at = choices.up_to(4);
        let object = there.keys().nth(at).copied();
        let shown = match object {
            Some(object) if choices.chance(1, 3) => {
                there.remove(&object);
                let target = self.plan.object_of(self.created[object]);
                self.plan.send(Request::delete(target));
                // The answer to a deletion does not have its revision.
                self.plan.list(self.definition, "v1")
            }
            Some(object) => {
                there.insert(object, content);
                self.plan.patch(self.created[object], Method::MergePatch, json!({ "spec": { "a": content } }))
            }
            None => {
                there.insert(self.created.len(), content);
                let created = self.plan.create(self.definition, json!({ "spec": { "a": content } }));
                self.created.push(created);
                created
            }
        };
        self.plan.assume(shown, Expectation::Accepted);
        self.moments.push(Moment { shown, there });
    }

    fn read(&mut self, choices: &mut Choices) {
        let at = choices.index(self.moments.len());
        let collection = || Resource::objects(self.definition, "v1");
        let revision = vec![QueryFromAnswer::revision_of(self.moments[at].shown)];
        let matches = |how: &str| vec![("resourceVersionMatch".to_owned(), how.to_owned())];
        // A revision that never comes takes seconds.
        match choices.weighted(&[12, 8, 6, 1]) {
            0 => {
                let list =
                    Request { query: matches("Exact"), query_from_answers: revision, ..Request::get(collection()) };
                let list = self.plan.send(list);
                let exactly = NamedCheck::States { states: self.states(at..=at), expires: true };
                self.plan.check("exactly", &["REST-026/e1"], list, exactly);
                let same = NamedCheck::SameIfAccepted { pointer: "/metadata/resourceVersion".to_owned() };
                self.plan.check("same-revision", &["REST-026/e1"], list, same.against(self.moments[at].shown));
            }
            1 => {
                let query = if choices.chance(1, 2) { matches("NotOlderThan") } else { vec![] };
                let list = Request { query, query_from_answers: revision, ..Request::get(collection()) };
                let list = self.plan.send(list);
                self.plan.varies(list);
                // A replica may ask for patience.
                self.plan.repeat_until(list, Expectation::Accepted);
                let states = self.states(at..=self.moments.len() - 1);
                self.plan.check("not-older", &["REST-019/e1"], list, NamedCheck::States { states, expires: false });
            }
            2 => self.get(choices, at, revision),
            _ => {
                let there = self.there().keys().next().copied().filter(|_| choices.chance(1, 2));
                let target = there.map_or_else(collection, |object| self.plan.object_of(self.created[object]));
                let query = vec![("resourceVersion".to_owned(), NEVER.to_owned())];
                let read = self.plan.send(Request { query, ..Request::get(target) });
                let never = NamedCheck::NeverCame.against(self.moments[at].shown);
                self.plan.check("never", &["REST-019/e1"], read, never);
            }
        }
    }

    /// GET of an object that is there since a moment.
    fn get(&mut self, choices: &mut Choices, at: usize, revision: Vec<QueryFromAnswer>) {
        let later = &self.moments[at..];
        let stays = |object: &usize| later.iter().all(|moment| moment.there.contains_key(object));
        let stay: Vec<usize> = self.moments[at].there.keys().copied().filter(stays).collect();
        if stay.is_empty() {
            return;
        }
        let object = *choices.pick(&stay);
        let contents =
            later.iter().filter_map(|moment| moment.there.get(&object)).map(|number| content(*number)).collect();
        let target = self.plan.object_of(self.created[object]);
        let read = self.plan.send(Request { query_from_answers: revision, ..Request::get(target) });
        self.plan.varies(read);
        self.plan.repeat_until(read, Expectation::Accepted);
        self.plan.check("object-not-older", &["REST-019/e1"], read, NamedCheck::OneOf { contents });
    }

    /// What a list shows at these moments.
    fn states(&self, moments: std::ops::RangeInclusive<usize>) -> Vec<Vec<Seen>> {
        let object =
            |(object, number): (&usize, &i64)| Seen { namespace: None, object: *object, content: content(*number) };
        let state = |moment: &Moment| moment.there.iter().map(object).collect();
        self.moments[moments].iter().map(state).collect()
    }
}

fn content(number: i64) -> Value {
    json!({ "spec": { "a": number } })
}
