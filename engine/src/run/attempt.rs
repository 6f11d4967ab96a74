//! One scenario, executed and judged: by checks on one target, or by comparing two.

use std::{collections::BTreeSet, error::Error, future::Future, sync::Arc, time::Duration};

use crdible_scenario::{
    AnyScenario, Capability, Scenario, ScenarioKind, ScenarioSource,
    judge::{FailedCheck, Judgement, Verdict, judge, silenced},
    transcript::Transcript,
};

use super::access::Access;
use crate::{
    connection::{Slowdown, standstills},
    execute::{Execution, ExecutionError, Executor, Freshness, Record},
};

/// One execution to run.
#[derive(Debug)]
pub struct Trial<'a, S = Scenario> {
    /// The ID of the property; the first part of the signatures of failures.
    pub property: &'a str,
    /// The scenario.
    pub scenario: &'a S,
    /// The definitions to run it on.
    pub freshness: Freshness,
    /// Whether to keep definitions and exchanges.
    pub record: bool,
}

impl<S> Clone for Trial<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Trial<'_, S> {}

impl<'a, S> Trial<'a, S> {
    /// An execution on definitions of the pool, without a record.
    pub fn new(property: &'a str, scenario: &'a S) -> Self {
        Self { property, scenario, freshness: Freshness::Pooled, record: false }
    }

    /// The same on these definitions.
    #[must_use]
    pub fn on(self, freshness: Freshness) -> Self {
        Self { freshness, ..self }
    }

    /// The same with a record.
    #[must_use]
    pub fn recorded(self) -> Self {
        Self { record: true, ..self }
    }
}

/// The outcome of one execution.
#[derive(Debug)]
pub enum AttemptOutcome<E> {
    /// Every check that was judged holds.
    Pass,
    /// These checks failed.
    Fail(Vec<FailedCheck>),
    /// The case is inconclusive: an assumption does not hold.
    Discard(String),
    /// The execution ended in an error.
    Error(E),
}

impl<E> AttemptOutcome<E> {
    /// The checks that failed.
    pub(super) fn into_failed(self) -> Vec<FailedCheck> {
        if let Self::Fail(failed) = self { failed } else { Vec::new() }
    }
}

/// One scenario, executed and judged.
#[derive(Debug)]
pub struct Attempt<E> {
    /// The outcome.
    pub outcome: AttemptOutcome<E>,
    /// The positions of the checks that were judged.
    pub judged: Vec<usize>,
    /// Definitions and exchanges if they were recorded, for each target.
    pub records: Vec<Record>,
    /// Requests that the steps sent.
    pub requests: u64,
    /// Something else may have changed the answers: requests got no answer meanwhile, definitions are gone, or the
    /// machine stood still. A failure or a discarded case then counts only if it happens again.
    pub is_doubtful: bool,
    /// What one target answered; none if the scenario was not sent, or to two targets.
    pub answers: Option<Transcript>,
    /// If it ended in an error because a request got no answer, although the target answered the next one at once: the
    /// check that fails if that is so each time.
    pub silenced: Option<Box<FailedCheck>>,
}

impl<E> Attempt<E> {
    /// An attempt that ended in an error.
    pub fn failed(error: E) -> Self {
        Self { outcome: AttemptOutcome::Error(error), ..Self::empty() }
    }

    /// The same, where that a request got no answer is a failure.
    #[must_use]
    pub(super) fn with_silence(self) -> Self {
        match self.silenced {
            Some(failed) => Self { outcome: AttemptOutcome::Fail(vec![*failed]), silenced: None, ..self },
            None => self,
        }
    }

    fn empty() -> Self {
        Self {
            outcome: AttemptOutcome::Pass,
            judged: Vec::new(),
            records: Vec::new(),
            requests: 0,
            is_doubtful: false,
            answers: None,
            silenced: None,
        }
    }
}

/// Executes scenarios and judges them. Scheduling, budgets, confirmation and shrinking need nothing else.
pub trait Examiner: Send + Sync + 'static {
    /// The scenarios that it can execute.
    type Scenario: ScenarioKind;

    /// Why a scenario could not be executed.
    type Error: Error + Send + Sync + 'static;

    /// Executes and judges one scenario.
    fn attempt(&self, trial: Trial<'_, Self::Scenario>) -> impl Future<Output = Attempt<Self::Error>> + Send;

    /// Whether a wait reached its deadline: an immediate retry would only take as long again.
    fn is_of_waiting(error: &Self::Error) -> bool;

    /// Whether the target, or each of them, answers at all within a few seconds.
    fn answers_again(&self) -> impl Future<Output = bool> + Send;

    /// How slow the target, or one of them, has become, if too slow to go on.
    fn slowdown(&self) -> Option<Slowdown>;

    /// How long an answer is waited for from now on, if that is less than before.
    fn waits_at_most(&self) -> Option<Duration> {
        None
    }

    /// How many requests were sent so far.
    fn requests(&self) -> u64;

    /// What was seen of the target that no check asserts, in a sentence.
    fn note(&self) -> Option<String> {
        None
    }

    /// The positions in what a source asserts that this target cannot fully show, since it does not
    /// support what some of the checks need. That the other checks hold is no evidence: a server that
    /// accepts everything accepts valid requests, too.
    fn judged_in_part(&self, _source: ScenarioSource) -> BTreeSet<usize> {
        BTreeSet::new()
    }

    /// The parts of a scenario that may show a failure as well, the smallest first.
    fn parts(&self, scenario: &Self::Scenario, failed: &FailedCheck) -> Vec<Self::Scenario>;
}

/// Executes and judges a scenario of either kind. One of the other kind is inconclusive.
pub async fn examine<E: Examiner>(examiner: &E, trial: Trial<'_, AnyScenario>) -> Attempt<E::Error> {
    let Trial { property, scenario, freshness, record } = trial;
    match E::Scenario::of(scenario) {
        Some(scenario) => examiner.attempt(Trial { property, scenario, freshness, record }).await,
        None => Attempt {
            outcome: AttemptOutcome::Discard("it is an experiment on another kind of target".to_owned()),
            ..Attempt::empty()
        },
    }
}

/// Executes and judges a scenario on a target without these capabilities. A
/// scenario of which nothing can be judged is not sent.
pub(super) async fn attempt_on(
    executor: &Executor,
    trial: Trial<'_>,
    missing: &BTreeSet<Capability>,
) -> Attempt<ExecutionError> {
    let Trial { property, scenario, freshness, record } = trial;
    if let Some(capability) = missing_for_all(scenario, missing) {
        return Attempt {
            outcome: AttemptOutcome::Discard(format!("the target does not support {capability}")),
            ..Attempt::empty()
        };
    }
    let (unanswered, still) = (executor.unanswered(), standstills());
    let execution = match executor.execute(scenario, freshness, record).await {
        Ok(execution) => execution,
        // The case says nothing about the target.
        Err(error @ ExecutionError::Unreachable(_)) => {
            return Attempt { outcome: AttemptOutcome::Discard(error.to_string()), ..Attempt::empty() };
        }
        Err(ExecutionError::NoAnswer(silent)) => {
            let Execution { transcript, requests, record } = &silent.execution;
            let answers_others = executor.answers_at_once().await && standstills() == still;
            let silenced = if answers_others {
                silenced(property, scenario, transcript, silent.silence, missing).map(Box::new)
            } else {
                None
            };
            let (records, requests) = (vec![record.clone()], *requests);
            return Attempt { records, requests, silenced, ..Attempt::failed(ExecutionError::NoAnswer(silent)) };
        }
        Err(error) => {
            if matches!(error, ExecutionError::DefinitionLost(_)) {
                // The next attempt needs definitions that exist.
                executor.has_lost_definitions().await;
            }
            return Attempt::failed(error);
        }
    };
    let Judgement { verdict, judged } = judge(property, scenario, &execution.transcript, missing);
    let outcome = match verdict {
        Verdict::Pass => AttemptOutcome::Pass,
        Verdict::Fail(failed) => AttemptOutcome::Fail(failed),
        Verdict::Discard { step } => AttemptOutcome::Discard(format!("an assumption about step {step} does not hold")),
    };
    let Execution { transcript, requests, record } = execution;
    let is_doubtful = matches!(outcome, AttemptOutcome::Fail(_) | AttemptOutcome::Discard(_))
        && (executor.has_lost_definitions().await || executor.unanswered() > unanswered || standstills() > still);
    Attempt { outcome, judged, records: vec![record], requests, is_doubtful, answers: Some(transcript), silenced: None }
}

/// A missing capability, if each check of a scenario needs a missing one.
fn missing_for_all(scenario: &Scenario, missing: &BTreeSet<Capability>) -> Option<Capability> {
    if missing.is_empty() {
        return None;
    }
    let mut first = None;
    for check in &scenario.checks {
        let capability = scenario.needs_of(check).intersection(missing).next().copied()?;
        first.get_or_insert(capability);
    }
    first
}

/// Tries a scenario a second time if it ended in an error and the target answers again: the first
/// error may be the network's, the second one is reported. A doubtful failure is tried up to two more
/// times. A target that does not answer again is lost.
pub(super) async fn attempt_twice<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    trial: Trial<'_, AnyScenario>,
) -> Attempt<E::Error> {
    let examiner = &**examiner;
    let first = examine(examiner, trial).await;
    if let AttemptOutcome::Error(error) = &first.outcome {
        if !examiner.answers_again().await {
            access.set_lost(error.to_string());
            return first;
        }
        if E::is_of_waiting(error) {
            return first;
        }
    } else if !first.is_doubtful {
        return first;
    }
    let second = examine(examiner, trial).await;
    let requests = first.requests + second.requests;
    if !second.is_doubtful {
        return Attempt { requests, ..second };
    }
    let third = examine(examiner, trial).await;
    Attempt { requests: requests + third.requests, ..third }
}
