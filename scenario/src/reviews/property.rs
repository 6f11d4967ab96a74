//! A promise of a converter, and the converter that it is about.

use std::sync::Arc;

use crdible_generators::choice::Choices;
use crdible_spec::{Catalogue, Level, Reference, Resolved};
use serde_json::Value;

use crate::scenario::{Contract, ContractVersion, ReviewScenario};

/// A promise of a converter: a pure plan, and the requirements that its checks assert.
#[derive(Debug)]
pub struct ReviewProperty {
    /// Its name in flags and files.
    pub id: &'static str,
    /// The promise, in one sentence of at most 100 characters.
    pub title: &'static str,
    /// Every requirement and edge that one of its checks asserts.
    pub asserts: &'static [&'static str],
    /// Whether a contract gives it anything to check.
    pub applies: fn(&Contract) -> bool,
    /// Plans one scenario: a pure function of the choices and the subject.
    pub plan: fn(&mut Choices, &Subject) -> ReviewScenario,
    /// The scenario of users' own objects at this position, which come before the generated ones.
    pub sample: fn(&Subject, usize) -> Option<ReviewScenario>,
}

impl ReviewProperty {
    /// A property that applies to every converter, and has no scenarios of users' own objects.
    pub const fn of(
        id: &'static str,
        title: &'static str,
        asserts: &'static [&'static str],
        plan: fn(&mut Choices, &Subject) -> ReviewScenario,
    ) -> Self {
        Self { id, title, asserts, applies: |_| true, plan, sample: |_, _| None }
    }

    /// How strongly it binds a converter: the level of the requirement or edge that it asserts first.
    pub fn level(&self) -> Level {
        let first = self.asserts.first().and_then(|reference| reference.parse::<Reference>().ok());
        first.and_then(|first| Catalogue::embedded().resolve(&first)).map_or(Level::Must, Resolved::level)
    }
}

/// The converter of a run: its contract, and objects of users' own.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// What it is for.
    pub contract: Arc<Contract>,
    /// Objects that are converted to every other version, besides generated ones. Their `apiVersion` and kind are of
    /// the contract.
    pub samples: Vec<Value>,
}

impl Subject {
    /// How many ways there are from a sample to another version.
    pub(crate) fn sample_trips(&self) -> usize {
        self.samples.len() * self.contract.versions.len().saturating_sub(1)
    }

    /// One of these ways: the sample, its version and the other one.
    pub fn sample_trip(&self, position: usize) -> Option<(&Value, &ContractVersion, &ContractVersion)> {
        let versions = &self.contract.versions;
        let others = versions.len().checked_sub(1).filter(|others| *others > 0)?;
        let sample = self.samples.get(position / others)?;
        let of = |version: &ContractVersion| self.contract.api_version(&version.name);
        let from = versions.iter().position(|version| sample["apiVersion"] == of(version).as_str())?;
        Some((sample, &versions[from], &versions[(from + 1 + position % others) % versions.len()]))
    }
}
