//! What a run reports: events while it goes on, and a summary at its end.

use std::{collections::BTreeMap, error::Error};

use crdible_journal::{Sent, Signature};
use crdible_scenario::Capability;

use super::{attempt::AttemptOutcome, finding::ConfirmedFinding};
use crate::connection::Slowdown;

/// What a run reports while it goes on. A finding comes after the case in which it was found.
#[derive(Debug)]
pub enum Event {
    /// The target does not support a capability; the properties that need it are skipped.
    MissingCapability {
        /// Which one.
        capability: Capability,
        /// The finding that shows it.
        finding: Box<ConfirmedFinding>,
    },
    /// Something about the target or the run that nothing selected asserts, in a sentence.
    Note(String),
    /// A property is skipped.
    Skipped {
        /// Its ID.
        property: &'static str,
        /// The capability that the target does not support.
        because: Capability,
    },
    /// A case is finished.
    Case(CaseReport),
    /// A failure was seen, and is being confirmed. The finding that comes of it has the same symptom.
    Suspected(Box<ConfirmedFinding>),
    /// A failure was confirmed and shrunk.
    Found(Box<ConfirmedFinding>),
    /// A property is stopped before all its cases have run: it failed too often, or its cases are inconclusive.
    Stopped {
        /// Its ID.
        property: &'static str,
        /// Why.
        reason: &'static str,
    },
}

/// One finished case.
#[derive(Debug)]
pub struct CaseReport {
    /// The ID of the property or exploration.
    pub property: &'static str,
    /// The index of the case.
    pub index: u64,
    /// How it ended.
    pub outcome: CaseOutcome,
    /// How many generated objects, updates or version lists it judged.
    pub cases: u32,
    /// What its checks asserted, as positions in
    /// [`ScenarioSource::asserts`](crdible_scenario::ScenarioSource::asserts).
    pub asserted: Vec<usize>,
    /// Requests that its steps sent.
    pub requests: u64,
    /// How long it took, in microseconds.
    pub microseconds: u64,
}

/// How a case ended.
#[derive(Debug)]
pub enum CaseOutcome {
    /// All its checks hold.
    Pass,
    /// Some failed: their signatures.
    Fail(Vec<Signature>),
    /// It was discarded, and why.
    Discard(String),
    /// It ended in an error.
    Error(String),
}

impl CaseOutcome {
    /// How the case of an attempt ended.
    pub(super) fn of<E: Error>(outcome: &AttemptOutcome<E>) -> Self {
        match outcome {
            AttemptOutcome::Pass => Self::Pass,
            AttemptOutcome::Fail(failed) => {
                Self::Fail(failed.iter().map(|failed| failed.failure.signature.clone()).collect())
            }
            AttemptOutcome::Discard(reason) => Self::Discard(reason.clone()),
            AttemptOutcome::Error(error) => Self::Error(error.to_string()),
        }
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All cases have run.
    Finished,
    /// The budget of time is used up.
    Time,
    /// The target has become too slow to go on.
    Slow(Slowdown),
    /// Nothing new was reached for the requested time.
    Quiet,
    /// The requested number of failures was found.
    Failures,
    /// A signal interrupted it.
    Interrupted,
    /// The target stopped responding; the last error.
    TargetLost(String),
    /// crdible itself failed: the panic's message, and at which case.
    Broken(String),
}

/// How a run ended.
#[derive(Debug)]
pub struct Summary {
    /// Why it ended.
    pub stop: Stop,
    /// Judged cases of each source that was run.
    pub cases: BTreeMap<&'static str, u64>,
    /// Requests sent, including probes and clean-up.
    pub requests: u64,
    /// What was sent in scenarios that were judged.
    pub sent: Sent,
}
