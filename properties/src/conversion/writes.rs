//! Writes of objects that a webhook converts, and the events that watches must report of them.

use super::shared::Converted;
use crate::prelude::*;
use crate::shared::{
    oracle::{Change, change, stored},
    watch::{Events, Happened},
};

/// An object that exists.
struct Living {
    /// The step that created it.
    created: StepId,
    /// The last step that returned it.
    last: StepId,
    /// Its labels.
    labels: Value,
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
    pub(super) events: Events,
    /// … and one at the storage version.
    pub(super) stored: Events,
}

impl<'a> Writer<'a> {
    /// Nothing is written yet.
    pub(super) fn new(plan: &'a mut Plan, converted: &'a Converted, watched: usize) -> Self {
        Self {
            plan,
            converted,
            watched,
            living: Vec::new(),
            events: Events::at(converted.name(watched)),
            stored: Events::at(converted.name(converted.storage)),
        }
    }

    /// Any write at a version; the first is a create.
    pub(super) fn write(&mut self, choices: &mut Choices, at: usize) {
        let act = choices.draw(5);
        let object = self.converted.conversion.object(choices);
        let Some(number) = self.living.len().checked_sub(1) else {
            self.create(object, at);
            return;
        };
        let number = choices.up_to(number);
        match act {
            0 => {
                self.create(object, at);
            }
            1 | 2 => self.replace(number, object, at),
            3 => self.empty_patch(number, at),
            4 => {
                self.label(number, at);
            }
            _ => {
                self.delete(number, at);
            }
        }
    }

    /// A write that changes something and needs no answer to an earlier read; returns its step.
    pub(super) fn write_in_one_step(&mut self, choices: &mut Choices, at: usize) -> StepId {
        let act = choices.draw(2);
        let object = self.converted.conversion.object(choices);
        let Some(number) = self.living.len().checked_sub(1) else { return self.create(object, at) };
        match act {
            0 => self.create(object, at),
            1 => self.label(number, at),
            _ => self.delete(number, at),
        }
    }

    pub(super) fn create(&mut self, content: Value, at: usize) -> StepId {
        let created = self.converted.create(self.plan, &content, at);
        self.living.push(Living { created, last: created, labels: json!({}), content });
        self.report(Happened::Added, self.living.len() - 1);
        created
    }

    /// If the object is the same as before, nothing happens.
    fn replace(&mut self, number: usize, content: Value, at: usize) {
        let read = self.plan.get_at(self.living[number].created, self.converted.name(at));
        let spec = self.converted.conversion.seen(&content, at)["spec"].clone();
        self.living[number].last = self.plan.put_back(read, vec![Edit::Set("/spec".into(), spec)]);
        let changed = change(&self.living[number].content, &content);
        if changed == Change::Nothing {
            return;
        }
        self.living[number].content = stored(&content);
        self.report(Happened::Modified, number);
        if changed == Change::Open {
            self.events.last_is_left_open();
            self.stored.last_is_left_open();
        }
    }

    /// Nothing happens.
    fn empty_patch(&mut self, number: usize, at: usize) {
        self.patch(number, at, json!({}));
    }

    fn label(&mut self, number: usize, at: usize) -> StepId {
        // Another one each time.
        let labels = json!({ "after": format!("step-{}", self.living[number].last) });
        self.living[number].last = self.patch(number, at, json!({ "metadata": { "labels": labels } }));
        self.living[number].labels = labels;
        self.report(Happened::Modified, number);
        self.living[number].last
    }

    fn patch(&mut self, number: usize, at: usize, patch: Value) -> StepId {
        self.plan.merge_at(self.living[number].created, self.converted.name(at), patch)
    }

    fn delete(&mut self, number: usize, at: usize) -> StepId {
        let target = self.plan.object_at(self.living[number].created, self.converted.name(at));
        let deleted = self.plan.send(Request::delete(target));
        self.report(Happened::Deleted, number);
        self.living.remove(number);
        deleted
    }

    fn report(&mut self, happened: Happened, number: usize) {
        let Living { created, labels, content, .. } = &self.living[number];
        for (events, at) in [(&mut self.events, self.watched), (&mut self.stored, self.converted.storage)] {
            events.push(happened, self.plan, *created, labels, self.converted.conversion.seen(content, at));
        }
    }
}
