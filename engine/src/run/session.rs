//! A session with one target: opened by trying its capabilities, closed by removing what was created.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

use crdible_scenario::{
    Capability, ScenarioSource,
    capabilities::{API_SERVER, CapabilityTest},
};
use tokio::sync::mpsc::UnboundedSender;

use super::{
    capabilities::{find_missing, with_basis},
    claims::Unclaimed,
    event::{Event, Summary},
    finding::ConfirmedFinding,
    interrupt::Interrupt,
    options::RunOptions,
    schedule::run,
    subject::{Reliance, Subject},
    support::{CapabilityReport, Purpose, ReportSupport, Support, TriedCapabilities},
};
use crate::{
    created::CreatedObject,
    execute::{ExecutionError, Executor},
    marks::REFRESH_EVERY,
};

/// An API server that is ready to be tested.
#[derive(Debug)]
pub struct Session {
    subject: Arc<Subject>,
    /// What trying its capabilities has shown.
    supported: TriedCapabilities,
    /// The capabilities that the selected sources need; `None` if everything counts.
    needed: Option<BTreeSet<Capability>>,
    /// The missing capability of each source that was asked for.
    missing_of_sources: Mutex<BTreeMap<&'static str, Option<Capability>>>,
}

/// How opening a session ended.
#[derive(Debug)]
pub enum Opening<S, U> {
    /// It is open.
    Open(S),
    /// It was interrupted, and what was created is removed as far as it could be.
    Interrupted(U),
}

/// A session that was interrupted while it was being opened.
#[derive(Debug)]
pub struct Unopened {
    /// What was created and could not be removed.
    pub left: Vec<CreatedObject>,
    /// The missing capabilities that count and that were found by then, each with the finding that shows it.
    pub missing: Vec<(Capability, ConfirmedFinding)>,
    /// Requests sent.
    pub requests: u64,
}

/// Why a session could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct OpeningError<E: std::error::Error, Left> {
    /// The error.
    pub error: E,
    /// What was created by then and could not be removed.
    pub left: Left,
}

/// What a session is for: which capabilities of the target count.
#[derive(Clone, Copy, Debug)]
pub enum Selection<'a> {
    /// All of them.
    Everything,
    /// Those that these sources make use of. Another one that is found missing is only a note.
    Only(&'a [ScenarioSource]),
}

impl Session {
    /// Opens a session by trying each capability of an API server. A missing capability is not an error; a target that
    /// does not respond or that forbids the requests is.
    pub async fn open(executor: Executor) -> Result<Self, ExecutionError> {
        let (unclaimed, report) = (Unclaimed::default(), |_: CapabilityReport<'_>| {});
        match Self::open_unless(executor, Selection::Everything, &unclaimed, &report, Interrupt::never()).await {
            Ok(Opening::Open(session)) => Ok(session),
            Ok(Opening::Interrupted(_)) => Err(ExecutionError::Closing),
            Err(OpeningError { error, .. }) => Err(error),
        }
    }

    /// As [`Session::open`], but what is not claimed is not tried, and counts as missing; unless it is interrupted.
    /// Reports at once what each capability that counts showed.
    pub async fn open_unless(
        executor: Executor,
        selection: Selection<'_>,
        unclaimed: &Unclaimed,
        report: ReportSupport<'_>,
        interrupt: Interrupt,
    ) -> Result<Opening<Self, Unopened>, OpeningError<ExecutionError, Vec<CreatedObject>>> {
        let purpose = Purpose { report, ends_at_refusal: true };
        let (session, tried) = Self::after_trying(executor, selection, unclaimed, purpose, interrupt.raised()).await;
        match tried {
            Ok(Ok(())) => Ok(Opening::Open(session)),
            Ok(Err(error)) => Err(OpeningError { error, left: session.close().await }),
            Err(()) => Ok(Opening::Interrupted(session.interrupted().await)),
        }
    }

    /// Closes it after opening it was interrupted.
    async fn interrupted(self) -> Unopened {
        let found =
            |(capability, finding): (Capability, Option<&ConfirmedFinding>)| Some((capability, finding?.clone()));
        let (missing, requests) = (self.missing_capabilities().filter_map(found).collect(), self.executor().requests());
        Unopened { left: self.close().await, missing, requests }
    }

    /// Tries each capability of an API server, and reports at once what each one showed. A request that the target
    /// forbids is part of that. However trying ends, with an error or because `stopped` returns, the session knows what
    /// was seen by then. It must be closed.
    pub(crate) async fn explore<S>(
        executor: Executor,
        unclaimed: &Unclaimed,
        report: ReportSupport<'_>,
        stopped: impl Future<Output = S>,
    ) -> (Self, Result<Result<(), ExecutionError>, S>) {
        let purpose = Purpose { report, ends_at_refusal: false };
        Self::after_trying(executor, Selection::Everything, unclaimed, purpose, stopped).await
    }

    /// A session after trying capabilities, and why not all of them were tried.
    async fn after_trying<S>(
        mut executor: Executor,
        selection: Selection<'_>,
        unclaimed: &Unclaimed,
        purpose: Purpose<'_>,
        stopped: impl Future<Output = S>,
    ) -> (Self, Result<Result<(), ExecutionError>, S>) {
        let (uses, needed) = match selection {
            Selection::Everything => (API_SERVER.iter().map(|test| test.capability).collect(), None),
            Selection::Only(sources) => {
                let Reliance { uses, needs } = Reliance::of(sources);
                (uses, Some(with_basis(API_SERVER, &needs)))
            }
        };
        let mut supported = TriedCapabilities::without(unclaimed.iter());
        let of_what_counts = |seen: CapabilityReport<'_>| {
            if needed.as_ref().is_none_or(|needed: &BTreeSet<Capability>| needed.contains(&seen.capability)) {
                (purpose.report)(seen);
            }
        };
        let purpose = Purpose { report: &of_what_counts, ..purpose };
        let tried = tokio::select! {
            // First: after an interrupt nothing more is tried.
            biased;
            stop = stopped => Err(stop),
            tried = find_missing(&mut executor, API_SERVER, &uses, &mut supported, purpose) => Ok(tried),
        };
        let subject = Arc::new(Subject::new(Arc::new(executor), supported.missing.keys().copied().collect()));
        (Self { subject, supported, needed, missing_of_sources: Mutex::default() }, tried)
    }

    /// The missing capabilities that count, each with the finding that shows it,
    /// unless another missing capability implies it.
    pub fn missing_capabilities(&self) -> impl Iterator<Item = (Capability, Option<&ConfirmedFinding>)> {
        self.all_missing_capabilities().filter(|(capability, _)| self.counts(*capability))
    }

    /// The missing capabilities that the selected sources can do without, each with the finding that shows it.
    pub fn other_missing_capabilities(&self) -> impl Iterator<Item = (Capability, &ConfirmedFinding)> {
        self.all_missing_capabilities()
            .filter(|(capability, _)| !self.counts(*capability))
            .filter_map(|(capability, finding)| Some((capability, finding?)))
    }

    /// All missing capabilities, each with the finding that shows it, unless another missing capability implies it.
    pub(super) fn all_missing_capabilities(&self) -> impl Iterator<Item = (Capability, Option<&ConfirmedFinding>)> {
        self.supported.missing.iter().map(|(capability, finding)| (*capability, finding.as_deref()))
    }

    fn counts(&self, capability: Capability) -> bool {
        self.needed.as_ref().is_none_or(|needed| needed.contains(&capability))
    }

    /// The missing capability of the target without which nothing of a source can be judged.
    pub fn missing(&self, source: impl Into<ScenarioSource>) -> Option<Capability> {
        let source = source.into();
        let mut missing = self.missing_of_sources.lock().unwrap_or_else(PoisonError::into_inner);
        *missing
            .entry(source.id())
            .or_insert_with(|| self.subject.missing(source).map(|capability| self.root_of(capability)))
    }

    /// The missing capability that implies that this one is missing, too, and that has a finding.
    fn root_of(&self, capability: Capability) -> Capability {
        let has_finding = self.supported.missing.get(&capability).is_some_and(Option::is_some);
        let basis = Some(capability.row()).filter(|_| !has_finding).and_then(|row| self.missing_basis_of(row));
        basis.map_or(capability, |basis| self.root_of(basis))
    }

    /// The missing capability because of which a test was not run.
    fn missing_basis_of(&self, test: &CapabilityTest) -> Option<Capability> {
        test.depends_on.iter().copied().find(|basis| self.supported.missing.contains_key(basis))
    }

    /// What the target was seen to be capable of, in the order of the tests.
    pub fn capabilities(&self) -> impl Iterator<Item = (Capability, Support)> {
        API_SERVER.iter().map(|row| (row.capability, self.support(row)))
    }

    /// What was seen of a capability; of one that was not tried, why.
    fn support(&self, row: &CapabilityTest) -> Support {
        if let Some(seen) = self.supported.seen.get(&row.capability) {
            return seen.clone();
        }
        // The last of its tests could have been run.
        let tests = std::iter::once(row).chain(row.otherwise);
        let untried = tests.map(|test| self.missing_basis_of(test)).reduce(Option::and).flatten();
        match untried {
            Some(basis) => Support::Implied(self.root_of(basis)),
            None if self.supported.missing.contains_key(&row.capability) => {
                Support::Excused("the target does not claim it")
            }
            None => Support::NotTried,
        }
    }

    /// Whether this capability is missing without being a fault (see
    /// [`ExcusedIf`](crdible_scenario::capabilities::ExcusedIf)).
    pub fn is_excused(&self, capability: Capability) -> bool {
        matches!(self.supported.seen.get(&capability), Some(Support::Excused(_)))
    }

    /// The target, as something that scenarios can be tried on.
    pub fn subject(&self) -> &Arc<Subject> {
        &self.subject
    }

    /// The executor of the session.
    pub fn executor(&self) -> &Arc<Executor> {
        self.subject.executor()
    }

    /// Runs cases. Sources that need a missing capability are skipped, and the events say so first.
    pub async fn run(&self, mut options: RunOptions, events: UnboundedSender<Event>, interrupt: Interrupt) -> Summary {
        options.skip(|source| self.missing(source), &events);
        let running = run(Arc::clone(&self.subject), options, events, interrupt);
        tokio::select! {
            summary = running => summary,
            never = self.stay_alive() => match never {},
        }
    }

    /// Renews the heartbeat now and then; never returns.
    pub(crate) async fn stay_alive(&self) -> Infallible {
        loop {
            tokio::time::sleep(REFRESH_EVERY).await;
            self.executor().renew_heartbeat().await;
        }
    }

    /// Removes everything that was created, and returns what could not be removed.
    pub async fn close(self) -> Vec<CreatedObject> {
        self.executor().clean_up().await
    }
}
