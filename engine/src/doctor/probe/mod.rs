//! `doctor --probe`: what a target can do, and what that costs, by writing some definitions and removing them again.
//!
//! What a target can do is what a run finds out before its first case: the capabilities of a
//! [`Session`]. The rest are measurements of one definition and its objects.

mod found;
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

use crdible_scenario::Capability;

pub use self::{
    found::{Probe, Problem, Unremoved},
    measurements::{Measure, Measured, Measurement, WORKERS},
};
use self::{
    names::Names,
    report::{COSTS, cost_line, support_line, unfinished_line},
};
use super::{client::Client, preflight::preflight};
use crate::{
    connection::{Target, TargetError},
    created::CreatedObject,
    run::{CapabilityReport, Interrupt, Session, Setup, Support},
};

/// The time limit for trying all capabilities. With the usual patience it is enough for a server that lacks nearly all.
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

/// Gets the results of a probe, one or more whole lines at a time.
pub type ReportLines<'a> = &'a (dyn Fn(&str) + Sync);

/// Tries each capability of `target` as a run with this setup does, then measures it with a definition. Whatever was
/// written is removed in any case, even if it is interrupted. Each result is reported at once: these are the lines of
/// [`Probe::render`], with those of capabilities that are tried at the same time in any order.
///
/// # Errors
/// [`TargetError`] if the target is unusable; nothing has been written then. Later errors are part of the result.
pub async fn probe(
    target: &Target,
    setup: &Setup,
    interrupt: Interrupt,
    report: ReportLines<'_>,
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
    let mut probing = Probing { found, report };
    report(&probing.found.beginning());
    let left = probing.explore(target, setup, interrupt.clone()).await;
    report(COSTS);
    let api = Arc::new(Client::new(target, PATIENCE).within(REQUEST_LIMIT));
    let names = Names::new(&setup.run);
    if probing.found.problem.is_none() {
        probing.measure(&api, &names, interrupt).await;
    }
    probing.remove(&api, &names, left).await;
    for what in Measure::ALL.into_iter().filter(|what| probing.found.measured(*what).is_none()) {
        report(&cost_line(what, None));
    }
    report(&probing.found.ending());
    Ok(probing.found)
}

/// A probe that is under way: what it has found so far, and who gets the lines about it.
struct Probing<'a> {
    found: Probe,
    report: ReportLines<'a>,
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
        let report = self.report;
        let reported = Mutex::<BTreeSet<Capability>>::default();
        let report_support = |CapabilityReport { capability, support, .. }: CapabilityReport<'_>| {
            if reported.lock().unwrap_or_else(PoisonError::into_inner).insert(capability) {
                report(&support_line(capability, support));
            }
        };
        let executor = setup.executor(target);
        let (session, tried) = Session::explore(executor, &setup.unclaimed, &report_support, stopped).await;
        self.found.capabilities = session.capabilities().collect();
        match tried {
            Ok(tried) => self.found.unfinished = tried.err(),
            Err(problem) => self.found.problem = Some(problem),
        }
        for (capability, support) in &self.found.capabilities {
            // Those that were not tried.
            report_support(CapabilityReport { capability: *capability, support, finding: None });
            if let Support::Refused(request) = support {
                self.found.missing_permissions.insert(request.clone());
            }
        }
        if let Some(error) = &self.found.unfinished {
            report(&unfinished_line(error));
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

    /// Notes a measurement, and reports it; one that was noted before stays.
    fn note(&mut self, what: Measure, result: Measured) {
        if self.found.measured(what).is_none() {
            (self.report)(&cost_line(what, Some(&result)));
            self.found.measured.push(Measurement { what, result });
        }
    }

    /// How long something took, if it succeeded.
    fn took(&self, what: Measure) -> Option<Duration> {
        if let Some(Measured::Time(time)) = self.found.measured(what) { Some(*time) } else { None }
    }
}
