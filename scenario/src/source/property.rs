//! What plans scenarios: properties of API servers, and explorations.

use crdible_generators::choice::Choices;

use crate::{capabilities::Capability, scenario::Plan};

/// A promise, checked with generated scenarios: a pure plan, and the requirements that its checks assert.
#[derive(Debug)]
pub struct Property {
    /// Its name in flags and files: the first requirement in lower case and a few words, `prune-001-unknown-keys`.
    pub id: &'static str,
    /// The promise, in one sentence of at most 100 characters.
    pub title: &'static str,
    /// Every requirement and edge that one of its checks asserts: `PRUNE-001`, `PRUNE-001/e1`. Each check names its
    /// own part.
    pub asserts: &'static [&'static str],
    /// The capabilities that a target needs before the property can be checked.
    pub needs: &'static [Capability],
    /// Hand-written scenarios that run before the random ones: corner cases that random draws would take long to find.
    pub edges: &'static [Edge],
    /// How many times the cases of other properties a run judges of it: what only a race shows is seldom seen.
    pub times: u64,
    /// Plans one scenario: a pure function of the choices.
    pub plan: fn(&mut Plan, &mut Choices),
}

impl Property {
    /// A property that says nothing of itself yet, needs no capability and has no hand-written scenarios.
    pub const fn new(id: &'static str, plan: fn(&mut Plan, &mut Choices)) -> Self {
        Self { id, title: "", asserts: &[], needs: &[], edges: &[], times: 1, plan }
    }

    /// The same with this promise.
    #[must_use]
    pub const fn title(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// The same, asserting these requirements and edges.
    #[must_use]
    pub const fn asserts(self, asserts: &'static [&'static str]) -> Self {
        Self { asserts, ..self }
    }

    /// The same, for targets with these capabilities.
    #[must_use]
    pub const fn needs(self, needs: &'static [Capability]) -> Self {
        Self { needs, ..self }
    }

    /// The same, judged with this many times the cases of others.
    #[must_use]
    pub const fn times(self, times: u64) -> Self {
        Self { times, ..self }
    }

    /// The same with these hand-written scenarios.
    #[must_use]
    pub const fn edges(self, edges: &'static [Edge]) -> Self {
        Self { edges, ..self }
    }
}

/// A hand-written scenario.
#[derive(Debug)]
pub struct Edge {
    /// Its subject, in a few words joined by dashes.
    pub name: &'static str,
    /// The scenario.
    pub plan: fn(&mut Plan),
}

/// A kind of generated request sequences. Its scenarios have no checks, so running them against a single target shows
/// nothing.
#[derive(Debug)]
pub struct Exploration {
    /// Its name in flags and files: `explore-` and a word.
    pub id: &'static str,
    /// The requests that it sends, in at most 100 characters.
    pub title: &'static str,
    /// The capabilities that a target needs for it.
    pub needs: &'static [Capability],
    /// Plans one scenario: a pure function of the choices.
    pub plan: fn(&mut Plan, &mut Choices),
}
