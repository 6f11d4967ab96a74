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

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crdible_journal::ExitCode;
use crdible_scenario::Capability;

pub use self::measurements::{Measure, Measured, Measurement, WORKERS};
use self::{
    names::Names,
    report::{COSTS, cost_line, support_line, unfinished_line},
};
use super::{
    client::Client,
    preflight::{ServerFacts, preflight},
};
use crate::{
    connection::{Target, TargetError, TransportError},
    created::CreatedObject,
    execute::ExecutionError,
    run::{Interrupt, Session, Setup, Support},
};

/// The time limit for trying all capabilities. It takes less than half of it on a server that never does most of what
/// is waited for.
const TRYING_LIMIT: Duration = Duration::from_secs(300);

/// The time limit for removing what was created for that.
const CLOSING_LIMIT: Duration = Duration::from_secs(60);

/// The time limit for all measurements, below the time for which the definition counts as alive. Only a server that is
/// slow to answer everything reaches it.
const PROBE_LIMIT: Duration = Duration::from_secs(60);

/// The time limit of a request. The first create under a new definition takes 2 s.
const REQUEST_LIMIT: Duration = Duration::from_secs(6);

/// After this time an abandoned request has arrived, or never will.
const SETTLING: Duration = Duration::from_millis(300);

/// How long to honour a server's `Retry-After`, per request.
const PATIENCE: Duration = Duration::from_secs(5);

/// Is told the results of a probe, one or more whole lines at a time.
pub type TellLines<'a> = &'a (dyn Fn(&str) + Sync);

/// What [`probe`] found. Times are as seen by this client.
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

/// Tries each capability of `target` as a run with this setup does, then measures it with a definition. Whatever was
/// written is removed in any case, even if it is interrupted. Each result is told at once: with those of capabilities
/// that are tried at the same time in any order, these are the lines of [`Probe::render`].
///
/// # Errors
/// [`TargetError`] if the target is unusable; nothing has been written then. Later errors are part of the result.
pub async fn probe(
    target: &Target,
    setup: &Setup,
    interrupt: Interrupt,
    tell: TellLines<'_>,
) -> Result<Probe, TargetError> {
    let found = Probe {
        run: setup.run.clone(),
        address: target.description.shown().to_owned(),
        facts: preflight(target).await?,
        capabilities: Vec::new(),
        unfinished: None,
        measured: Vec::new(),
        missing_permissions: BTreeSet::new(),
        problem: None,
        cleaned: Ok(()),
    };
    let mut probing = Probing { found, tell };
    tell(&probing.found.beginning());
    let left = probing.explore(target, setup, interrupt.clone()).await;
    tell(COSTS);
    let api = Arc::new(Client::new(target, PATIENCE).within(REQUEST_LIMIT));
    let names = Names::new(&setup.run);
    if probing.found.problem.is_none() {
        probing.measure(&api, &names, interrupt).await;
    }
    probing.remove(&api, &names, left).await;
    for what in Measure::ALL.into_iter().filter(|what| probing.found.measured(*what).is_none()) {
        tell(&cost_line(what, None));
    }
    tell(&probing.found.ending());
    Ok(probing.found)
}

/// A probe that is under way: what it has found so far, and who is told of it.
struct Probing<'a> {
    found: Probe,
    tell: TellLines<'a>,
}

impl Probing<'_> {
    /// Tries each capability, and removes what was created for that. Returns what could not be removed.
    async fn explore(&mut self, target: &Target, setup: &Setup, interrupt: Interrupt) -> Vec<CreatedObject> {
        let stopped = async {
            tokio::select! {
                () = interrupt.raised() => Problem::Interrupted,
                () = tokio::time::sleep(TRYING_LIMIT) => Problem::TooSlow { what: "capabilities", limit: TRYING_LIMIT },
            }
        };
        let tell = self.tell;
        let told = Mutex::<BTreeSet<Capability>>::default();
        let tell_support = |capability: Capability, support: &Support| {
            if told.lock().unwrap_or_else(PoisonError::into_inner).insert(capability) {
                tell(&support_line(capability, support));
            }
        };
        let executor = setup.executor(target);
        let (session, tried) = Session::explore(executor, &setup.unclaimed, &tell_support, stopped).await;
        self.found.capabilities = session.capabilities().collect();
        match tried {
            Ok(tried) => self.found.unfinished = tried.err(),
            Err(problem) => self.found.problem = Some(problem),
        }
        for (capability, support) in &self.found.capabilities {
            // Those that were not tried.
            tell_support(*capability, support);
            if let Support::Refused(request) = support {
                self.found.missing_permissions.insert(request.clone());
            }
        }
        if let Some(error) = &self.found.unfinished {
            tell(&unfinished_line(error));
        }
        let executor = Arc::clone(session.executor());
        let closed = tokio::time::timeout(CLOSING_LIMIT, session.close()).await;
        closed.unwrap_or_else(|_| executor.created())
    }

    /// Measures the target with a definition.
    async fn measure(&mut self, api: &Arc<Client>, names: &Names, interrupt: Interrupt) {
        let supported = self.found.capabilities.iter().filter(|(_, support)| *support == Support::Whole);
        let supported = supported.map(|(capability, _)| *capability).collect();
        let ending = {
            let measuring = measure::all(api, names, supported, self);
            tokio::select! {
                // First: after an interrupt nothing more is created.
                biased;
                () = interrupt.raised() => Some(Problem::Interrupted),
                result = tokio::time::timeout(PROBE_LIMIT, measuring) => match result {
                    Ok(Ok(())) => None,
                    Ok(Err(problem)) => Some(problem),
                    Err(_) => Some(Problem::TooSlow { what: "measurements", limit: PROBE_LIMIT }),
                },
            }
        };
        if ending.is_some() {
            // A create may still be in flight, and nothing can be removed before it arrives.
            tokio::time::sleep(SETTLING).await;
        }
        if let Some(Problem::Target(error)) = &ending {
            self.note_permission(error);
        }
        self.found.problem = ending;
    }

    /// Removes what was created, and what is left of trying the capabilities.
    async fn remove(&mut self, api: &Arc<Client>, names: &Names, left: Vec<CreatedObject>) {
        self.found.cleaned = removal::all(api, names, left, self).await;
        if let Err(Unremoved::Definitions { error, .. }) = &self.found.cleaned {
            let error = error.clone();
            self.note_permission(&error);
        }
    }

    /// Notes the permission that this error is about.
    fn note_permission(&mut self, error: &TargetError) {
        if let TargetError::Forbidden { request, .. } | TargetError::Unauthorized { request, .. } = error {
            self.found.missing_permissions.insert(request.clone());
        }
    }

    /// Notes a measurement, and tells it; one that was noted before stays.
    fn note(&mut self, what: Measure, result: Measured) {
        if self.found.measured(what).is_none() {
            (self.tell)(&cost_line(what, Some(&result)));
            self.found.measured.push(Measurement { what, result });
        }
    }

    /// How long something took, if it succeeded.
    fn took(&self, what: Measure) -> Option<Duration> {
        if let Some(Measured::Time(time)) = self.found.measured(what) { Some(*time) } else { None }
    }
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
