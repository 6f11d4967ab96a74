//! What is known of a run while it goes on, and when it has ended.

use std::collections::BTreeMap;

use crdible_reports::Signature;

use super::finding::Finding;
use crate::properties::Capability;

/// What a run reports while it goes on. A finding comes after the case in which it was found.
#[derive(Debug)]
pub enum Event {
    /// The target lacks a capability; the properties that need it are skipped.
    Lacks {
        /// Which one.
        capability: Capability,
        /// What shows it, in one scenario.
        finding: Box<Finding>,
    },
    /// A property is skipped.
    Skipped {
        /// Its ID.
        property: &'static str,
        /// The capability that the target lacks.
        because: Capability,
    },
    /// A case is finished.
    Case(CaseReport),
    /// A failure was confirmed and shrunk.
    Found(Box<Finding>),
    /// A property is stopped before its cases are through: it failed too often, or its cases say nothing.
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
    /// What its checks asserted, as positions in [`ScenarioSource::asserts`](super::ScenarioSource::asserts).
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
    /// Some do not: their signatures.
    Fail(Vec<Signature>),
    /// It says nothing, and why.
    Discard(String),
    /// Nothing could be found out, and why.
    Error(String),
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All cases are through.
    Finished,
    /// The budget of time is used up.
    Time,
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
}
