//! Objects in two namespaces, some of the same name, and what is written to them.

use std::collections::BTreeMap;

use crdible_scenario::{Scope, Seen};

use crate::prelude::*;
use crate::shared::watch::{Events, Happened};

/// The namespaces of a scenario, as paths and answers call them.
pub(super) const NAMESPACES: [&str; 2] = ["$namespace", "$elsewhere"];

/// Few, so that a name is often in both.
const NAMES: usize = 3;

/// An object: its namespace, and its number.
type Key = (&'static str, usize);

/// A change of an object: its content before it and after it.
struct Change {
    key: Key,
    before: Option<i64>,
    after: Option<i64>,
}

/// A definition, what is written to its objects, and what must be there.
pub(super) struct Namespaces<'a> {
    pub(super) plan: &'a mut Plan,
    definition: usize,
    there: BTreeMap<Key, i64>,
    changes: Vec<Change>,
    numbers: std::ops::RangeFrom<i64>,
}

/// A request to the objects of a definition, or to what comes after that path: in this namespace, or in all.
pub(super) fn within(definition: usize, method: Method, namespace: Option<&str>, rest: &str, body: Body) -> Request {
    let namespace = namespace.map(|namespace| format!("namespaces/{namespace}/")).unwrap_or_default();
    Request::new(method, Resource::Path { definition, path: format!("/apis/$group/v1/{namespace}$plural{rest}") }, body)
}

impl<'a> Namespaces<'a> {
    /// There is one object, in the first namespace.
    pub(super) fn new(plan: &'a mut Plan) -> Self {
        let schema = spec_of(json!({ "a": { "type": "integer" } }));
        let definition = plan.define(Definition { scope: Scope::Namespaced, ..Definition::of_schema(schema) });
        let mut new = Self { plan, definition, there: BTreeMap::new(), changes: Vec::new(), numbers: 1.. };
        let created = new.create((NAMESPACES[0], 0));
        new.plan.assume(created, Expectation::Accepted);
        new
    }

    /// What was written so far is the past: watches begin now.
    pub(super) fn forget(&mut self) {
        self.changes.clear();
    }

    /// A request to a collection: in this namespace, or in all.
    fn request(&self, method: Method, namespace: Option<&str>, rest: &str, body: Body) -> Request {
        within(self.definition, method, namespace, rest, body)
    }

    fn about(&self, method: Method, (namespace, number): Key, body: Body) -> Request {
        self.request(method, Some(namespace), &format!("/$object-{number}"), body)
    }

    fn create(&mut self, key: Key) -> StepId {
        let number = self.numbers.next().unwrap_or_default();
        let sent = self.plan.send(self.post(key.0, key.1, number));
        self.becomes(key, Some(number));
        sent
    }

    fn post(&self, namespace: &str, object: usize, number: i64) -> Request {
        let (version, fields) = ("v1".to_owned(), content(number).into());
        let body = Body::Object { definition: self.definition, version, object, fields };
        self.request(Method::Post, Some(namespace), "", body)
    }

    fn becomes(&mut self, key: Key, after: Option<i64>) {
        let before = match after {
            Some(after) => self.there.insert(key, after),
            None => self.there.remove(&key),
        };
        self.changes.push(Change { key, before, after });
    }

    /// A create, a patch or a deletion of an object, or a deletion of all objects of a namespace.
    pub(super) fn write(&mut self, choices: &mut Choices) {
        self.plan.count_case();
        let namespace = *choices.pick::<&str>(&NAMESPACES);
        let key = (namespace, choices.index(NAMES));
        if !self.there.contains_key(&key) {
            let created = self.create(key);
            self.plan.check("created", &["REST-022", "INV-054"], created, Expectation::Accepted);
            return;
        }
        let (request, after) = match choices.weighted(&[3, 2, 2]) {
            0 => {
                let number = self.numbers.next().unwrap_or_default();
                (self.about(Method::MergePatch, key, Body::json(content(number))), Some(number))
            }
            // The order in which several are deleted is anybody's.
            1 if self.there.keys().filter(|(at, _)| *at == namespace).count() == 1 => {
                (self.request(Method::Delete, Some(namespace), "", Body::None), None)
            }
            _ => (self.about(Method::Delete, key, Body::None), None),
        };
        let sent = self.plan.send(request);
        // What a server does not offer at all is no matter of namespaces.
        self.plan.assume(sent, Expectation::Accepted);
        self.becomes(key, after);
    }

    /// A create in a namespace that does not exist, or so the target says.
    pub(super) fn create_in_missing(&mut self, namespace: &str) -> StepId {
        self.plan.send(self.post(namespace, 0, 0).as_dry_run())
    }

    /// A deletion of all objects of a namespace in which there are none.
    pub(super) fn delete_all(&mut self, namespace: &str) -> StepId {
        self.plan.send(self.request(Method::Delete, Some(namespace), "", Body::None))
    }

    /// A list of one namespace, or of all.
    pub(super) fn list(&mut self, namespace: Option<&str>) -> StepId {
        self.plan.send(self.request(Method::Get, namespace, "", Body::None))
    }

    /// What such a list shows now.
    pub(super) fn shown(&self, namespace: Option<&str>) -> NamedCheck {
        let shown = self.there.iter().filter(|((at, _), _)| namespace.is_none_or(|namespace| namespace == *at));
        let state = shown.map(|((at, object), number)| Seen {
            namespace: Some((*at).to_owned()),
            object: *object,
            content: content(*number),
        });
        NamedCheck::States { states: vec![state.collect()], expires: false }
    }

    /// GET of an object, which may be missing, and what it shows.
    pub(super) fn get(&mut self, namespace: &'static str, number: usize) -> (StepId, Expectation) {
        let key = (namespace, number);
        let sent = self.plan.send(self.about(Method::Get, key, Body::None));
        let expected = self.there.get(&key).map(|number| Expectation::Content(content(*number)));
        (sent, expected.unwrap_or(Expectation::Status(404)))
    }

    /// A watch of one namespace, or of all, from a list of the same on; what it reports since the last
    /// [`Namespaces::forget`], and of which namespaces.
    pub(super) fn watch(&mut self, namespace: Option<&str>, list: StepId) -> (StepId, [Expectation; 2]) {
        let mut events = Events::at("v1");
        let mut namespaces = Vec::new();
        let seen = self.changes.iter().filter(|change| namespace.is_none_or(|namespace| namespace == change.key.0));
        for Change { key: (at, object), before, after } in seen {
            let (happened, number) = match (before, after) {
                (None, Some(after)) => (Happened::Added, after),
                (Some(_), Some(after)) => (Happened::Modified, after),
                (Some(before), None) => (Happened::Deleted, before),
                (None, None) => continue,
            };
            namespaces.push((*at).to_owned());
            events.push_of(happened, *object, &json!({}), content(*number));
        }
        let watched = events.watch_since(self.plan, list, &[]);
        (watched, [events.or_gone(), NamedCheck::EventNamespaces { namespaces }.into()])
    }
}

fn content(number: i64) -> Value {
    json!({ "spec": { "a": number } })
}
