//! What is known of a run while it goes on.

use std::collections::BTreeMap;

use super::examine::Finding;
use crate::properties::{Capability, Property};

/// What a run tells while it goes on. Findings come after the case in which they were found.
#[derive(Debug)]
pub enum Event {
    /// The target lacks a capability; the properties that need it are left out.
    Lacks {
        /// Which one.
        capability: Capability,
        /// What it is and how the target misses it, shrunk to one scenario.
        finding: Box<Finding>,
    },
    /// A property is left out.
    LeftOut {
        /// Which one.
        property: &'static Property,
        /// Why.
        because: Capability,
    },
    /// A case is finished.
    Case(CaseReport),
    /// A failure was confirmed and shrunk.
    Found(Box<Finding>),
    /// A property is given up before its cases are through: it failed too often, or no case of it says anything.
    GivenUp {
        /// Which one.
        property: &'static Property,
        /// Why.
        reason: &'static str,
    },
}

/// One finished case.
#[derive(Debug)]
pub struct CaseReport {
    /// The property.
    pub property: &'static Property,
    /// Its index.
    pub index: u64,
    /// What came of it.
    pub outcome: CaseOutcome,
    /// How many generated objects, updates or version lists it judged.
    pub cases: u32,
    /// Positions in the property's list of what it asserts: what the checks of this case asserted.
    pub asserted: Vec<usize>,
    /// Requests that its steps sent.
    pub requests: u64,
    /// How long it took, in microseconds.
    pub microseconds: u64,
}

/// What came of a case.
#[derive(Debug)]
pub enum CaseOutcome {
    /// All checks hold.
    Pass,
    /// Some do not: their signatures, with the property's ID in front.
    Fail(Vec<String>),
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
    /// The time budget is used up.
    Time,
    /// Somebody interrupted it.
    Interrupted,
    /// The target stopped answering; the last error.
    TargetLost(String),
    /// crdible itself failed: what it said, and at which case.
    Broken(String),
}

/// What is left of a run when it has ended.
#[derive(Debug)]
pub struct Summary {
    /// Why it ended.
    pub stop: Stop,
    /// Judged cases for each property that was planned.
    pub cases: BTreeMap<&'static str, u64>,
    /// Requests sent, probes and clean-up included.
    pub requests: u64,
}
