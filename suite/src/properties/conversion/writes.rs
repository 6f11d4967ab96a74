//! Writes of objects that a webhook converts, and the events that watches must report of them.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::Converted;
use crate::{
    properties::shared::watch::Event,
    scenario::{Body, Edit, Method, Plan, Request, StepId},
};

/// An object that exists.
struct Living {
    /// The step that created it.
    created: StepId,
    /// The last step that returned it.
    last: StepId,
    /// Its content as the first version has it.
    content: Value,
}

/// Writes, and the events that they cause at a version.
pub(super) struct Writer<'a> {
    pub(super) plan: &'a mut Plan,
    converted: &'a Converted,
    /// The version of the watch.
    watched: usize,
    living: Vec<Living>,
    /// What a watch at `watched` reports, …
    pub(super) events: Vec<Event>,
    /// … and one at the storage version.
    pub(super) stored: Vec<Event>,
}

impl<'a> Writer<'a> {
    /// Nothing is written yet.
    pub(super) fn new(plan: &'a mut Plan, converted: &'a Converted, watched: usize) -> Self {
        Self { plan, converted, watched, living: Vec::new(), events: Vec::new(), stored: Vec::new() }
    }

    /// Any write at a version; the first is a create.
    pub(super) fn write(&mut self, choices: &mut Choices, at: usize) {
        let act = choices.draw(5);
        let object = self.converted.conversion.object(choices);
        let Some(number) = self.living.len().checked_sub(1) else { return self.create(object, at) };
        let number = usize::try_from(choices.draw(number as u64)).unwrap_or(0);
        match act {
            0 => self.create(object, at),
            1 | 2 => self.replace(number, object, at),
            3 => self.empty_patch(number, at),
            4 => self.label(number, at),
            _ => self.delete(number, at),
        }
    }

    pub(super) fn create(&mut self, content: Value, at: usize) {
        let created = self.converted.create(self.plan, &content, at);
        self.report(Event::added, created, &content);
        self.living.push(Living { created, last: created, content });
    }

    /// If the object is the same as before, nothing happens.
    fn replace(&mut self, number: usize, content: Value, at: usize) {
        let created = self.living[number].created;
        let read = self.plan.get_at(created, self.converted.name(at));
        let spec = self.converted.conversion.seen(&content, at)["spec"].clone();
        let last = self.plan.put_back(read, vec![Edit::Set("/spec".into(), spec)]);
        if content != self.living[number].content {
            self.report(Event::modified, created, &content);
        }
        self.living[number] = Living { created, last, content };
    }

    /// Nothing happens.
    fn empty_patch(&mut self, number: usize, at: usize) {
        let target = self.plan.object_at(self.living[number].created, self.converted.name(at));
        self.plan.send(Request::new(Method::MergePatch, target, Body::json(json!({}))));
    }

    fn label(&mut self, number: usize, at: usize) {
        let Living { created, last, .. } = self.living[number];
        let target = self.plan.object_at(created, self.converted.name(at));
        // Another one each time.
        let labels = json!({ "metadata": { "labels": { "after": format!("step-{last}") } } });
        self.living[number].last = self.plan.send(Request::new(Method::MergePatch, target, Body::json(labels)));
        let content = self.living[number].content.clone();
        self.report(Event::modified, created, &content);
    }

    fn delete(&mut self, number: usize, at: usize) {
        let Living { created, content, .. } = self.living.remove(number);
        let target = self.plan.object_at(created, self.converted.name(at));
        self.plan.send(Request::new(Method::Delete, target, Body::None));
        self.report(Event::deleted, created, &content);
    }

    fn report(&mut self, event: fn(&Plan, StepId, Value) -> Event, created: StepId, content: &Value) {
        let seen = |at| self.converted.conversion.seen(content, at);
        self.events.push(event(self.plan, created, seen(self.watched)));
        self.stored.push(event(self.plan, created, seen(self.converted.storage)));
    }
}
