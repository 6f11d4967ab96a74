//! One example: the value that is sent, the name and references of its check, and the expected outcome.

use super::Outcome;
use crate::shared::place::Place;
use crate::shared::prelude::*;

/// A value for a node, with its expected outcome.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    name: &'static str,
    asserts: &'static [&'static str],
    pub(super) sent: Content,
    outcome: Outcome,
}

impl Example {
    /// An example with any outcome.
    pub(crate) fn new(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: impl Into<Content>,
        outcome: Outcome,
    ) -> Self {
        Self { name, asserts, sent: sent.into(), outcome }
    }

    /// Accepted, and read back as sent.
    pub(crate) fn kept(name: &'static str, asserts: &'static [&'static str], sent: Value) -> Self {
        Self::becomes(name, asserts, sent.clone(), sent)
    }

    /// Accepted, and read back as `left`.
    pub(crate) fn becomes(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: impl Into<Content>,
        left: Value,
    ) -> Self {
        Self::new(name, asserts, sent, Outcome::Kept(left))
    }

    /// Accepted.
    pub(crate) fn accepted(name: &'static str, asserts: &'static [&'static str], sent: impl Into<Content>) -> Self {
        Self::new(name, asserts, sent, Outcome::Accepted)
    }

    /// Accepted, and nothing remains of it.
    pub(crate) fn dropped(name: &'static str, asserts: &'static [&'static str], sent: Value) -> Self {
        Self::new(name, asserts, sent, Outcome::Dropped)
    }

    /// Accepted under `fieldValidation=Strict`, and read back as `left`.
    pub(crate) fn silent(name: &'static str, asserts: &'static [&'static str], sent: Value, left: Value) -> Self {
        Self::new(name, asserts, sent, Outcome::Silent(left))
    }

    /// Rejected with exactly these causes: their paths are relative to the node, or that of
    /// [`NIL`](crate::shared::NIL).
    pub(crate) fn refused(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: impl Into<Content>,
        causes: impl IntoIterator<Item = impl Into<Cause>>,
    ) -> Self {
        Self::new(name, asserts, sent, Outcome::Refused(causes.into_iter().map(Into::into).collect()))
    }

    /// Rejected with these causes; if there are none, accepted and read back as sent.
    pub(crate) fn judged(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: Value,
        causes: Vec<impl Into<Cause>>,
    ) -> Self {
        if causes.is_empty() { Self::kept(name, asserts, sent) } else { Self::refused(name, asserts, sent, causes) }
    }

    /// Rejected under `fieldValidation=Strict`, with exactly these unknown fields, relative to the node.
    pub(crate) fn unknown(
        name: &'static str,
        asserts: &'static [&'static str],
        sent: Value,
        fields: &[&'static str],
    ) -> Self {
        Self::new(name, asserts, sent, Outcome::Unknown(fields.iter().map(ToString::to_string).collect()))
    }

    /// Rejected with 400.
    pub(crate) fn bad_request(name: &'static str, asserts: &'static [&'static str], sent: impl Into<Content>) -> Self {
        Self::new(name, asserts, sent, Outcome::BadRequest)
    }

    /// Creates an object with the value at the place as a dry run, and checks the outcome.
    pub(crate) fn create(self, plan: &mut Plan, definition: usize, place: &Place) {
        let content = place.exact_content(self.sent.clone());
        let created = match self.outcome.mode() {
            Some(mode) => plan.try_create_validating(definition, mode, content),
            None => plan.try_create(definition, content),
        };
        self.check(plan, created, place);
    }

    /// Checks the answer to a request that sent the value at the place.
    pub(super) fn check(self, plan: &mut Plan, step: StepId, place: &Place) {
        plan.check(self.name, self.asserts, step, self.outcome.expectation(place));
        plan.count_case();
    }
}
