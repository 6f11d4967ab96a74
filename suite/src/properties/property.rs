//! What a property is.

use crdible_generators::choice::Choices;

use super::Capability;
use crate::scenario::Scenario;

/// A promise, checked with generated scenarios: a pure plan, and what its checks assert.
#[derive(Debug)]
pub struct Property {
    /// Its name for flags and files: the first requirement in lower case and a few words, `prune-001-unknown-keys`.
    pub id: &'static str,
    /// What must hold, in one sentence.
    pub title: &'static str,
    /// Every requirement and edge that one of its checks asserts: `PRUNE-001`, `PRUNE-001/e1`. Each check names its own part.
    pub asserts: &'static [&'static str],
    /// What a target must be able to do before the property says anything.
    pub needs: &'static [Capability],
    /// Hand-made scenarios that run before the random ones: the corners that chance would take long to find.
    pub edges: &'static [Edge],
    /// Plans one scenario: a pure function of the choices.
    pub plan: fn(&mut Choices) -> Scenario,
}

/// A hand-made scenario.
#[derive(Debug)]
pub struct Edge {
    /// What it is about, in a few words joined by dashes.
    pub name: &'static str,
    /// The scenario.
    pub plan: fn() -> Scenario,
}
