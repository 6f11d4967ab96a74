//! A failure, confirmed and shrunk.

use crdible_generators::choice::Tape;
use crdible_journal::{Failure, Reproduced, Signature};
use crdible_scenario::{AnyScenario, Capability, judge::FailedCheck};

use super::symptom;
use crate::execute::{Freshness, Record};

/// A failure, confirmed and shrunk: what a report shows.
#[derive(Clone, Debug)]
pub struct ConfirmedFinding {
    /// The check that fails in the smallest scenario, and the failure.
    pub failed: FailedCheck,
    /// What the property promises, in one sentence; empty if it does not come from a property.
    pub promise: &'static str,
    /// The missing capability that it shows.
    pub missing_capability: Option<Capability>,
    /// The index of the case in which it was found.
    pub index: u64,
    /// The smallest scenario found: only the failed check, and what it depends on.
    pub scenario: AnyScenario,
    /// The choices that generate the scenario of which it is a part; none for a hand-made scenario.
    pub tape: Option<Tape>,
    /// Its definitions and exchanges, for each target, with the names of the last execution.
    pub records: Vec<Record>,
    /// How often the scenario was run again before shrinking; 0 if the run ended before that.
    pub attempts: u32,
    /// How often it failed again. If it is not [certain](Reproduced::is_certain), the failure is flaky and is not shrunk.
    pub reproduced: u32,
    /// If it needs requests that were sent together: the scenarios that failed with its signature, this one included.
    pub races: u32,
    /// It fails only on definitions with a history.
    pub needs_history: bool,
    /// What shrinking did.
    pub shrinking: Shrinking,
}

impl ConfirmedFinding {
    /// What is wrong.
    pub fn failure(&self) -> &Failure {
        &self.failed.failure
    }

    /// What identifies the failure.
    pub fn signature(&self) -> &Signature {
        &self.failed.failure.signature
    }

    /// What a user sees of its cause: the same for failures that are reported as one entry.
    pub fn symptom(&self) -> String {
        match self.missing_capability {
            Some(capability) => symptom::of_missing(capability, &self.failure().requirements),
            None => symptom::symptom(&self.scenario, &self.failed),
        }
    }

    /// How often it was reproduced.
    pub fn reproduction(&self) -> Reproduced {
        Reproduced { attempts: self.attempts, times: self.reproduced, races: self.races }
    }

    /// Whether the run ended before the scenario was run again.
    pub fn is_unconfirmed(&self) -> bool {
        self.attempts == 0
    }

    /// Whether it does not count: it failed too seldom, or was not run again.
    pub fn is_flaky(&self) -> bool {
        self.is_unconfirmed() || !self.reproduction().is_certain()
    }

    /// The definitions on which it fails.
    pub(super) fn freshness(&self) -> Freshness {
        if self.needs_history { Freshness::Pooled } else { Freshness::Fresh }
    }
}

/// What shrinking did.
#[derive(Clone, Debug, Default)]
pub struct Shrinking {
    /// Scenarios executed.
    pub executions: usize,
    /// Those that failed with the same signature and became the smallest.
    pub accepted: usize,
    /// Choices at the start.
    pub initial_size: usize,
    /// Choices at the end.
    pub final_size: usize,
    /// Why it ended: `complete`, `executions`, `time`, `not needed`,
    /// `known`, or `ended` if the run ended before it did.
    pub stopped_by: &'static str,
}

impl Shrinking {
    /// The record for a scenario of this size that was not shrunk.
    pub(crate) fn not_needed(size: usize) -> Self {
        Self { initial_size: size, final_size: size, stopped_by: "not needed", ..Self::default() }
    }
}
