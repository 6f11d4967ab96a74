//! One execution of a scenario: on which definitions, what was answered, and a record to repeat it by hand.

use crdible_scenario::transcript::{Refusal, Transcript};
use serde_json::Value;

use super::wire::{Exchange, refused_definition};

/// Which definitions a scenario runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Definitions of the pool, with their history.
    Pooled,
    /// New definitions for this execution only: a failure on them needs no history.
    Fresh,
}

/// One execution.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The answers.
    pub transcript: Transcript,
    /// Requests that the steps sent.
    pub requests: u64,
    /// Definitions and exchanges with their names, if they are recorded.
    pub record: Record,
}

/// An execution as a user would repeat it, without the sentinel that the executor adds to schemas.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The installed definitions, in the order of the scenario.
    pub definitions: Vec<InstalledDefinition>,
    /// The exchanges of the steps; a changed schema of a definition appears as a merge patch.
    pub exchanges: Vec<Exchange>,
}

/// A definition that was installed before the first step.
#[derive(Clone, Debug)]
pub struct InstalledDefinition {
    /// Its document.
    pub document: Value,
    /// The code with which the server answered its create, also if that was for an earlier scenario.
    pub status: Option<u16>,
}

impl Execution {
    /// An execution of which only these exchanges are known yet.
    pub(super) fn of_exchanges(exchanges: Vec<Exchange>) -> Self {
        let record = Record { definitions: Vec::new(), exchanges };
        Self { transcript: Transcript::default(), requests: 0, record }
    }

    /// An execution that ended before its first step.
    pub(super) fn refused(refusal: Refusal) -> Self {
        let record = Record { definitions: Vec::new(), exchanges: vec![refused_definition(&refusal)] };
        Self { transcript: Transcript { refusal: Some(refusal), ..Transcript::default() }, requests: 0, record }
    }
}
