//! What a probe found, and what of it was a problem.

use std::{collections::BTreeSet, time::Duration};

use crdible_journal::ExitCode;
use crdible_scenario::Capability;

use super::measurements::{Measure, Measured, Measurement};
use crate::{
    connection::{TargetError, TransportError},
    created::CreatedObject,
    doctor::preflight::ServerFacts,
    execute::ExecutionError,
    run::Support,
};

/// What a [`probe`](super::probe()) found. Times are as seen by this client.
#[derive(Debug)]
pub struct Probe {
    /// The identifier of this probe, the value of its label.
    pub run: String,
    /// The target's address.
    pub address: String,
    /// The target's version and platform.
    pub facts: ServerFacts,
    /// What it can do, in the order in which that is tried.
    pub capabilities: Vec<(Capability, Support)>,
    /// The error because of which not all of that was tried.
    pub unfinished: Option<ExecutionError>,
    /// What was measured, in this order.
    pub measured: Vec<Measurement>,
    /// The missing permissions, as `METHOD path`.
    pub missing_permissions: BTreeSet<String>,
    /// Why the probe ended early.
    pub problem: Option<Problem>,
    /// What could not be removed again, if anything.
    pub cleaned: Result<(), Unremoved>,
}

/// What a probe could not remove.
#[derive(Debug, Clone)]
pub enum Unremoved {
    /// Definitions.
    Definitions {
        /// Why.
        error: TargetError,
        /// Those that may still be there.
        names: Vec<CreatedObject>,
    },
    /// Objects that the server keeps without their definition. No clean-up finds them: nothing has a label any more.
    Objects {
        /// How many there are.
        count: usize,
        /// The path that lists them.
        collection: String,
    },
    /// It cannot be seen whether objects are left without their definition: why.
    Unseen(String),
}

/// Why a probe ended early.
#[derive(Debug, Clone)]
pub enum Problem {
    /// An error answer, or no answer.
    Target(TargetError),
    /// Not everything was tried or measured within this time.
    TooSlow {
        /// What it was waited for.
        what: &'static str,
        /// How long.
        limit: Duration,
    },
    /// No object of the definition is accepted.
    NotServed {
        /// How long it was tried.
        waited: Duration,
        /// The last answer.
        seen: String,
    },
    /// The user has interrupted it.
    Interrupted,
}

impl Probe {
    /// The exit code of the command, of these the first that applies:
    ///
    /// - [`ExitCode::INCOMPLETE`] (4): something may be left behind;
    /// - [`ExitCode::INTERRUPTED`] (130): it was interrupted;
    /// - [`ExitCode::UNUSABLE`] (3): a capability was not tried, or the measurements ended early, because the target
    ///   forbids it, does not answer, or not in time ([`Problem::TooSlow`]), or serves no objects;
    /// - [`ExitCode::SUCCESS`] (0): everything was tried and measured. What the target cannot do is a result.
    pub fn exit_code(&self) -> u8 {
        let is_refused = |support: &Support| matches!(support, Support::Refused(_));
        match (&self.cleaned, &self.problem) {
            (Err(_), _) => ExitCode::INCOMPLETE,
            (Ok(()), Some(Problem::Interrupted)) => ExitCode::INTERRUPTED,
            (Ok(()), Some(_)) => ExitCode::UNUSABLE,
            (Ok(()), None) if self.unfinished.is_some() => ExitCode::UNUSABLE,
            (Ok(()), None) if self.capabilities.iter().any(|(_, support)| is_refused(support)) => ExitCode::UNUSABLE,
            (Ok(()), None) => ExitCode::SUCCESS,
        }
    }

    /// What a measurement resulted in, if it was reached.
    pub fn measured(&self, what: Measure) -> Option<&Measured> {
        self.measured.iter().find(|known| known.what == what).map(|known| &known.result)
    }
}

impl From<TransportError> for Problem {
    fn from(error: TransportError) -> Self {
        Self::Target(TargetError::Transport(error))
    }
}

impl From<TargetError> for Problem {
    fn from(error: TargetError) -> Self {
        Self::Target(error)
    }
}
