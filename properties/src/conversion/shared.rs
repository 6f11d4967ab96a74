//! Definitions whose objects a webhook converts.

use crdible_generators::conversion::{Conversion, ConversionShape};
use crdible_scenario::Webhook;
use crdible_webhooks::Converter;

use crate::prelude::*;
use crate::shared::texts;

/// The request fails because the webhook of an object of this version does, which the message says in these words.
pub(super) fn webhook_failure(from: &str, words: &[&str]) -> Expectation {
    NamedCheck::WebhookFailure { from: from.to_owned(), words: texts(words) }.into()
}

/// A definition of a scenario with versions of different shapes.
pub(super) struct Converted {
    pub(super) conversion: Conversion,
    pub(super) definition: usize,
    /// The position of the storage version.
    pub(super) storage: usize,
}

impl Converted {
    /// Draws a definition; any version may be the storage version.
    pub(super) fn draw(plan: &mut Plan, choices: &mut Choices, shape: &ConversionShape) -> Self {
        Self::draw_as(plan, choices, shape, |definition| definition)
    }

    /// Draws a definition, and changes it before it is added to the plan.
    pub(super) fn draw_as(
        plan: &mut Plan,
        choices: &mut Choices,
        shape: &ConversionShape,
        change: impl FnOnce(Definition) -> Definition,
    ) -> Self {
        let conversion = Conversion::draw(choices, shape);
        let storage = choices.index(conversion.versions().len());
        Self::of(plan, conversion, storage, change)
    }

    /// Draws a definition whose storage version is at this position.
    pub(super) fn draw_stored(plan: &mut Plan, choices: &mut Choices, shape: &ConversionShape, storage: usize) -> Self {
        Self::of(plan, Conversion::draw(choices, shape), storage, |definition| definition)
    }

    fn of(
        plan: &mut Plan,
        conversion: Conversion,
        storage: usize,
        change: impl FnOnce(Definition) -> Definition,
    ) -> Self {
        let webhook = Webhook::of(Converter::right(conversion.chain.clone()));
        let versions = stored_at(&conversion, storage);
        let definition = plan.define(change(Definition::with_versions(versions).converted_by(webhook)));
        Self { conversion, definition, storage }
    }

    /// The positions of all versions.
    pub(super) fn positions(&self) -> std::ops::Range<usize> {
        0..self.conversion.versions().len()
    }

    /// The name of the version at this position.
    pub(super) fn name(&self, position: usize) -> &str {
        &self.conversion.versions()[position]
    }

    /// Draws the position of a version.
    pub(super) fn pick(&self, choices: &mut Choices) -> usize {
        choices.index(self.positions().len())
    }

    /// Draws the position of a version that is not the storage version.
    pub(super) fn pick_other(&self, choices: &mut Choices) -> usize {
        let others: Vec<usize> = self.positions().filter(|at| *at != self.storage).collect();
        *choices.pick(&others)
    }

    /// POST of an object of the first version, as this version has it.
    pub(super) fn create(&self, plan: &mut Plan, object: &Value, at: usize) -> StepId {
        plan.create_at(self.definition, self.name(at), self.conversion.seen(object, at))
    }

    /// The collection at a version.
    pub(super) fn collection(&self, at: usize) -> Resource {
        Resource::objects(self.definition, self.name(at))
    }
}

/// The versions of a definition, in the order of the conversion; the one at `storage` is stored.
pub(super) fn stored_at(conversion: &Conversion, storage: usize) -> Vec<Version> {
    let of =
        |(at, name): (usize, &String)| Version::named(name, conversion.schema(at).clone()).stored_if(at == storage);
    conversion.versions().iter().enumerate().map(of).collect()
}

/// Renames a field, if there is one.
pub(super) fn rename(value: &mut Value, from: &str, to: &str) {
    if let Some(fields) = value.as_object_mut()
        && let Some(moved) = fields.remove(from)
    {
        fields.insert(to.to_owned(), moved);
    }
}
