//! A collection that is written to, and its history: what happened to each object, in order.

use crdible_scenario::Event;

use crate::prelude::*;
use crate::shared::{
    oracle,
    watch::{Events, Happened},
};

/// The finalizers that objects may have.
const FINALIZERS: [&str; 2] = ["crdible.dev/one", "crdible.dev/two"];

/// An object at a time.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) labels: Value,
    pub(super) content: Value,
}

/// What happened to an object: it was created if there is nothing before, and deleted if there is nothing after.
struct Change {
    created: StepId,
    before: Option<State>,
    after: Option<State>,
    /// Whether it counts as a change is not promised.
    is_open: bool,
}

/// An object that exists.
struct Living {
    created: StepId,
    state: State,
    finalizers: Vec<&'static str>,
    is_terminating: bool,
}

/// A collection, and what was done to it.
pub(super) struct History<'a> {
    pub(super) plan: &'a mut Plan,
    pub(super) definition: usize,
    living: Vec<Living>,
    changes: Vec<Change>,
    /// The requirements by which a write does what it does.
    asserts: &'static [&'static str],
}

/// A definition with `v1` and `v2`, which are alike, a selectable field and `/status`.
fn definition() -> Definition {
    let schema = object_of(json!({
        "spec": object_of(json!({ "a": { "type": "integer" }, "c": { "type": "string" } })),
        "status": object_of(json!({ "n": { "type": "integer" } })),
    }));
    let further = Map::from_iter([
        ("selectableFields".to_owned(), json!([{ "jsonPath": ".spec.c" }])),
        ("subresources".to_owned(), json!({ "status": {} })),
    ]);
    let first = Version { further: further.clone(), ..Version::only(schema.clone()) };
    Definition::with_versions(vec![first, Version { further, ..Version::named("v2", schema) }])
}

fn labels(choices: &mut Choices) -> Value {
    choices.pick(&[json!({}), json!({ "l": "x" }), json!({ "l": "y" }), json!({ "l": "x", "m": "" })]).clone()
}

fn color(choices: &mut Choices) -> &'static str {
    choices.pick::<&str>(&["red", "blue"])
}

impl<'a> History<'a> {
    /// Nothing is written yet. `asserts` are the requirements that say that a write which is refused, or changes
    /// nothing, is no event.
    pub(super) fn new(plan: &'a mut Plan, asserts: &'static [&'static str]) -> Self {
        let definition = plan.define(definition());
        Self { plan, definition, living: Vec::new(), changes: Vec::new(), asserts }
    }

    /// GET of the collection.
    pub(super) fn list(&mut self, version: &str) -> StepId {
        self.list_with(version, vec![])
    }

    /// The same with these parameters.
    pub(super) fn list_with(&mut self, version: &str, query: Vec<(String, String)>) -> StepId {
        let collection = Resource::objects(self.definition, version);
        self.plan.send(Request { query, ..Request::get(collection) })
    }

    /// Forgets what happened so far: watches begin now.
    pub(super) fn forget(&mut self) {
        self.changes.clear();
    }

    /// The numbers of the objects that exist.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.selected(|_| true)
    }

    /// The numbers of those that are selected.
    pub(super) fn selected(&self, selects: impl Fn(&State) -> bool) -> Vec<usize> {
        let selected = self.living.iter().filter(|living| selects(&living.state));
        selected.map(|living| self.number(living.created)).collect()
    }

    fn number(&self, created: StepId) -> usize {
        match self.plan.object_of(created) {
            Resource::Object { object, .. } => object,
            _ => 0,
        }
    }

    /// The events that a watch of the objects reports that are selected by this, since the beginning.
    pub(super) fn events(&self, version: &str, selects: impl Fn(&State) -> bool) -> Events {
        let mut events = Events::at(version);
        for Change { created, before, after, is_open } in &self.changes {
            let selected = |state: &Option<State>| state.clone().filter(&selects);
            let (happened, state) = match (selected(before), selected(after)) {
                (None, Some(after)) => (Happened::Added, after),
                (Some(_), Some(after)) => (Happened::Modified, after),
                // As it was when it was selected last.
                (Some(before), None) => (Happened::Deleted, before),
                (None, None) => continue,
            };
            events.push(happened, self.plan, *created, &state.labels, state.content);
            if *is_open {
                events.last_is_left_open();
            }
        }
        events
    }

    /// The objects that exist, as the initial events of a watch: in the order of a list.
    pub(super) fn initial(&self, version: &str, selects: impl Fn(&State) -> bool) -> Vec<Event> {
        let mut living: Vec<&Living> = self.living.iter().filter(|living| selects(&living.state)).collect();
        living.sort_by_key(|living| self.number(living.created));
        let mut events = Events::at(version);
        for Living { created, state, .. } in living {
            events.push(Happened::Added, self.plan, *created, &state.labels, state.content.clone());
        }
        events.into_events()
    }

    /// Any write; the first is a create.
    pub(super) fn write(&mut self, choices: &mut Choices) {
        self.plan.count_case();
        let Some(last) = self.living.len().checked_sub(1) else { return self.create(choices) };
        let number = choices.up_to(last);
        match choices.weighted(&[3, 3, 3, 2, 3, 2, 4, 1]) {
            0 if self.living.len() < 6 => self.create(choices),
            0 | 1 => self.change(choices, number),
            2 => self.label(choices, number),
            3 => self.status(choices, number),
            4 => self.delete(number),
            5 => self.release(choices, number),
            6 => self.no_event(choices, number),
            _ => self.delete_all(choices),
        }
    }

    pub(super) fn create(&mut self, choices: &mut Choices) {
        let (labels, color) = (labels(choices), color(choices));
        let content = json!({ "spec": { "a": choices.between(1, 3), "c": color } });
        let finalizers: Vec<&str> = FINALIZERS.into_iter().filter(|_| choices.chance(1, 5)).collect();
        let mut metadata = json!({ "labels": labels });
        if !finalizers.is_empty() {
            metadata["finalizers"] = json!(finalizers);
        }
        let fields = json!({ "metadata": metadata, "spec": content["spec"] });
        let created = self.plan.create_at(self.definition, version(choices), fields);
        let state = State { labels, content };
        self.changes.push(Change { created, before: None, after: Some(state.clone()), is_open: false });
        self.living.push(Living { created, state, finalizers, is_terminating: false });
    }

    /// The object is now in this state. If that is no change, nothing happened.
    fn becomes(&mut self, number: usize, after: State) {
        let living = &mut self.living[number];
        let State { labels, content } = &living.state;
        let changed = oracle::change(labels, &after.labels).max(oracle::change(content, &after.content));
        if changed != oracle::Change::Nothing {
            let after = State { content: oracle::stored(&after.content), ..after };
            let before = std::mem::replace(&mut living.state, after.clone());
            let is_open = changed == oracle::Change::Open;
            self.changes.push(Change { created: living.created, before: Some(before), after: Some(after), is_open });
        }
    }

    /// The object changed in something that is not in its state.
    fn happens(&mut self, number: usize) {
        let Living { created, state, .. } = &self.living[number];
        let state = || Some(state.clone());
        self.changes.push(Change { created: *created, before: state(), after: state(), is_open: false });
    }

    fn vanishes(&mut self, number: usize) {
        let Living { created, state, .. } = self.living.remove(number);
        self.changes.push(Change { created, before: Some(state), after: None, is_open: false });
    }

    /// A change of the spec, by a patch or a PUT; perhaps to what it was.
    fn change(&mut self, choices: &mut Choices, number: usize) {
        let Living { created, state, .. } = &self.living[number];
        let (created, mut after) = (*created, state.clone());
        let at = version(choices);
        let (field, value) =
            if choices.chance(1, 2) { ("a", json!(choices.between(1, 3))) } else { ("c", json!(color(choices))) };
        after.content["spec"][field] = value.clone();
        if choices.chance(1, 2) {
            let read = self.plan.get_at(created, at);
            self.plan.put_back(read, vec![Edit::Set(format!("/spec/{field}"), value)]);
        } else {
            self.plan.merge_at(created, at, json!({ "spec": { field: value } }));
        }
        self.becomes(number, after);
    }

    fn label(&mut self, choices: &mut Choices, number: usize) {
        let Living { created, state, .. } = &self.living[number];
        let (created, labels) = (*created, labels(choices));
        let after = State { labels: labels.clone(), ..state.clone() };
        let patch = json!([{ "op": "add", "path": "/metadata/labels", "value": labels }]);
        self.plan.patch(created, Method::JsonPatch, patch);
        self.becomes(number, after);
    }

    fn status(&mut self, choices: &mut Choices, number: usize) {
        let Living { created, state, .. } = &self.living[number];
        let (count, mut after) = (choices.between(1, 2), state.clone());
        after.content["status"] = json!({ "n": count });
        let target = self.plan.object_of(*created).subresource("status");
        let patch = json!({ "status": { "n": count } });
        self.plan.send(Request::merge_patch(target, patch));
        self.becomes(number, after);
    }

    fn delete(&mut self, number: usize) {
        let target = self.plan.object_of(self.living[number].created);
        self.plan.send(Request::delete(target));
        self.deleted(number);
    }

    /// An object without finalizers is gone; another one becomes terminating, once.
    fn deleted(&mut self, number: usize) {
        if self.living[number].finalizers.is_empty() {
            self.vanishes(number);
        } else if !self.living[number].is_terminating {
            self.living[number].is_terminating = true;
            self.happens(number);
        }
    }

    /// Removes one finalizer, and with the last a terminating object.
    fn release(&mut self, choices: &mut Choices, number: usize) {
        let Living { created, finalizers, is_terminating, .. } = &self.living[number];
        let (created, is_terminating) = (*created, *is_terminating);
        let mut left = finalizers.clone();
        if left.is_empty() {
            return self.no_event(choices, number);
        }
        let removed = choices.index(left.len());
        left.remove(removed);
        let patch = json!({ "metadata": { "finalizers": left } });
        self.plan.patch(created, Method::MergePatch, patch);
        self.living[number].finalizers.clone_from(&left);
        if left.is_empty() && is_terminating {
            let gone = self.plan.get(created);
            self.plan.check("gone", self.asserts, gone, Expectation::Status(404));
            self.vanishes(number);
        } else {
            self.happens(number);
        }
    }

    /// A deletion of all objects with a label, if that is not more than one: the order of several is anybody's.
    fn delete_all(&mut self, choices: &mut Choices) {
        let label = *choices.pick(&["x", "y"]);
        let selected: Vec<usize> =
            (0..self.living.len()).filter(|&number| self.living[number].state.labels["l"] == label).collect();
        if selected.len() > 1 {
            return;
        }
        let target = Resource::objects(self.definition, "v1");
        let query = vec![("labelSelector".to_owned(), format!("l={label}"))];
        self.plan.send(Request { query, ..Request::delete(target) });
        selected.into_iter().for_each(|number| self.deleted(number));
    }

    /// A request that changes nothing: a dry run, one that is refused, or a write of what is there.
    fn no_event(&mut self, choices: &mut Choices, number: usize) {
        let Living { created, state, is_terminating, .. } = &self.living[number];
        let (created, is_terminating, color) = (*created, *is_terminating, state.content["spec"]["c"].clone());
        let target = self.plan.object_of(created);
        let other = json!({ "spec": { "a": 9 }, "metadata": { "labels": { "l": "tried" } } });
        // What only a terminating object refuses is rare otherwise.
        let kind = if is_terminating && choices.chance(1, 2) { 7 } else { choices.draw(7) };
        let (step, expected) = match kind {
            0 => (self.plan.try_create(self.definition, other), Expectation::Accepted),
            1 => (self.plan.try_patch(created, Method::MergePatch, other), at("/spec/a", 9)),
            2 => {
                let request = Request::delete(target).as_dry_run();
                (self.plan.send(request), Expectation::Accepted)
            }
            3 => {
                let patch = json!({ "spec": { "c": color } });
                (self.plan.patch(created, Method::MergePatch, patch), at("/spec/c", color))
            }
            4 => {
                let causes = vec![Cause::new("spec.a", "TypeInvalid")];
                let patch = json!({ "spec": { "a": "text" }, "metadata": { "labels": { "l": "refused" } } });
                (self.plan.patch(created, Method::MergePatch, patch), Expectation::Causes(causes))
            }
            5 => {
                let patch = json!({ "metadata": { "resourceVersion": "1", "labels": { "l": "refused" } } });
                (self.plan.patch(created, Method::MergePatch, patch), Expectation::Status(409))
            }
            6 => {
                let options = json!({ "preconditions": { "uid": "00000000-0000-0000-0000-000000000000" } });
                (self.plan.send(Request::delete_with(target, options)), Expectation::Status(409))
            }
            _ if is_terminating => {
                let further =
                    json!([{ "op": "add", "path": "/metadata/finalizers/-", "value": "crdible.dev/further" }]);
                // Some releases say it twice.
                let causes = vec![Cause::new("metadata.finalizers", "Forbidden")];
                (self.plan.patch(created, Method::JsonPatch, further), Expectation::CausesInclude(causes))
            }
            _ => {
                let object = self.number(created);
                let body = Body::Object {
                    definition: self.definition,
                    version: "v1".into(),
                    object,
                    fields: json!({ "spec": { "a": 9 } }).into(),
                };
                let target = Resource::objects(self.definition, "v1");
                (self.plan.send(Request::post(target, body)), Expectation::Status(409))
            }
        };
        self.plan.check("no-write", self.asserts, step, expected);
    }
}

/// One of the versions, which are alike.
pub(super) fn version(choices: &mut Choices) -> &'static str {
    choices.pick::<&str>(&["v1", "v2"])
}
