//! `doctor --probe`: what a target can do, and what that costs, by writing some definitions and removing them again.
//!
//! What a target can do is what a run finds out before its first case: the capabilities of a
//! [`Session`](crate::run::Session). The rest are measurements of one definition and its objects.

mod measure;
mod measurements;
mod names;
mod rates;
mod removal;
mod report;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use crdible_journal::ExitCode;
use crdible_scenario::Capability;

pub use self::measurements::{Measured, Measurement, WORKERS};
use self::names::Names;
use super::{
    client::Client,
    preflight::{ServerFacts, preflight},
};
use crate::{
    connection::{Target, TargetError, TransportError},
    created::CreatedObject,
    execute::ExecutionError,
    run::{Interrupt, Opening, Selection, Setup, Support},
};

/// The time limit for all measurements, below the time for which the definition counts as alive. Only a server that is
/// slow to answer everything reaches it.
const PROBE_LIMIT: Duration = Duration::from_secs(60);

/// The time limit of a request. The first create under a new definition takes 2 s.
const REQUEST_LIMIT: Duration = Duration::from_secs(6);

/// After this time an abandoned request has arrived, or never will.
const SETTLING: Duration = Duration::from_millis(300);

/// How long to honour a server's `Retry-After`, per request.
const PATIENCE: Duration = Duration::from_secs(5);

/// What [`probe`] found. Times are as seen by this client.
#[derive(Debug)]
pub struct Probe {
    /// The identifier of this probe, the value of its label.
    pub run: String,
    /// The target's address.
    pub address: String,
    /// The target's version and platform.
    pub facts: ServerFacts,
    /// What it can do, in the order in which that was tried; or why nothing could be tried.
    pub capabilities: Result<Vec<(Capability, Support)>, ExecutionError>,
    /// What was measured, in this order.
    pub measured: Vec<Measurement>,
    /// The missing permissions, as `METHOD path`.
    pub missing_permissions: BTreeSet<String>,
    /// Why the measurements ended early.
    pub problem: Option<Problem>,
    /// What could not be removed again, if anything.
    pub cleaned: Result<(), Unremoved>,
}

/// What a probe could not remove.
#[derive(Debug, Clone)]
pub enum Unremoved {
    /// What was created to try capabilities.
    Tried(Vec<CreatedObject>),
    /// Definitions.
    Definitions(TargetError),
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
    /// The measurements did not end within this time.
    TooSlow(Duration),
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

/// Tries each capability of `target` as a run with this setup does, then measures it with a definition. Whatever was
/// written is removed in any case, even if it is interrupted.
///
/// # Errors
/// [`TargetError`] if the target is unusable; nothing has been written then. Later errors are part of the result.
pub async fn probe(target: &Target, setup: &Setup, interrupt: Interrupt) -> Result<Probe, TargetError> {
    let mut probe = Probe {
        run: setup.run.clone(),
        address: target.description.shown().to_owned(),
        facts: preflight(target).await?,
        capabilities: Ok(Vec::new()),
        measured: Vec::new(),
        missing_permissions: BTreeSet::new(),
        problem: None,
        cleaned: Ok(()),
    };
    let left = match setup.open(target, Selection::Everything, interrupt.clone()).await {
        Ok(Opening::Open(session)) => {
            probe.capabilities = Ok(session.capabilities().collect());
            session.close().await
        }
        Ok(Opening::Interrupted(left)) => {
            probe.problem = Some(Problem::Interrupted);
            left
        }
        Err(error) => {
            probe.capabilities = Err(error);
            Vec::new()
        }
    };
    if !left.is_empty() {
        probe.cleaned = Err(Unremoved::Tried(left));
    }
    if probe.problem.is_none() {
        probe.measure(target, interrupt).await;
    }
    Ok(probe)
}

impl Probe {
    /// Measures the target with a definition, and removes it.
    async fn measure(&mut self, target: &Target, interrupt: Interrupt) {
        let api = Arc::new(Client::new(target, PATIENCE).within(REQUEST_LIMIT));
        let names = Names::new(&self.run);
        let supported = self.capabilities.as_deref().unwrap_or_default().iter();
        let supported = supported.filter(|(_, support)| *support == Support::Whole);
        let supported = supported.map(|(capability, _)| *capability).collect();
        let ending = {
            let measuring = measure::all(&api, &names, supported, self);
            tokio::select! {
                result = tokio::time::timeout(PROBE_LIMIT, measuring) => match result {
                    Ok(Ok(())) => None,
                    Ok(Err(problem)) => Some(problem),
                    Err(_) => Some(Problem::TooSlow(PROBE_LIMIT)),
                },
                () = interrupt.raised() => Some(Problem::Interrupted),
            }
        };
        if ending.is_some() {
            // A create may still be in flight, and nothing can be removed before it arrives.
            tokio::time::sleep(SETTLING).await;
        }
        if let Some(Problem::Target(TargetError::Forbidden { request, .. })) = &ending {
            self.missing_permissions.insert(request.clone());
        }
        self.problem = ending;
        if let Err(left) = removal::all(&api, &names, self).await {
            if let Unremoved::Definitions(TargetError::Forbidden { request, .. }) = &left {
                self.missing_permissions.insert(request.clone());
            }
            self.cleaned = Err(left);
        }
    }

    /// 0 if everything was tried, measured and removed; else the code of the error.
    pub fn exit_code(&self) -> u8 {
        match (&self.problem, &self.cleaned) {
            (_, Err(_)) => ExitCode::INCOMPLETE,
            (Some(Problem::Interrupted), _) => ExitCode::INTERRUPTED,
            (Some(_), _) => ExitCode::UNUSABLE,
            (None, Ok(())) if self.capabilities.is_err() => ExitCode::UNUSABLE,
            (None, Ok(())) => 0,
        }
    }

    /// What a measurement resulted in, if it was reached.
    pub fn measured(&self, what: &str) -> Option<&Measured> {
        self.measured.iter().find(|known| known.what == what).map(|known| &known.result)
    }

    /// Notes a measurement; one that was noted before stays.
    fn note(&mut self, what: &'static str, result: Measured) {
        if self.measured(what).is_none() {
            self.measured.push(Measurement { what, result });
        }
    }

    /// How long something took, if it succeeded.
    fn took(&self, what: &str) -> Option<Duration> {
        if let Some(Measured::Time(time)) = self.measured(what) { Some(*time) } else { None }
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
