//! One case from plan to verdict: executed, judged, and if it fails confirmed and shrunk.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crdible_generators::choice::{Recording, Shrinker, Tape};
use tokio::{sync::RwLock, task::JoinSet};

use super::{
    case::Case,
    examiner::{Examiner, attempt_twice},
    known::Known,
    replay::Counterexample,
};
use crate::{
    execute::{ExecutionError, Executor, Freshness, Record},
    judge::{Failure, Verdict, judge, judged},
    properties::Property,
    scenario::Scenario,
};

/// How failures are examined.
#[derive(Clone, Copy, Debug)]
pub struct ExamineOptions {
    /// Candidates that are tried at once while shrinking. One in process; on a server its latency is the cost, so more.
    pub batch: usize,
    /// At most so many executions while shrinking one failure.
    pub shrink_executions: usize,
    /// At most so long for shrinking one failure.
    pub shrink_time: Duration,
}

impl Default for ExamineOptions {
    fn default() -> Self {
        Self { batch: 8, shrink_executions: 300, shrink_time: Duration::from_secs(60) }
    }
}

/// What came of one execution.
#[derive(Debug)]
pub enum Outcome {
    /// All checks hold.
    Pass,
    /// These do not.
    Fail(Vec<Failure>),
    /// The case says nothing: an assumption does not hold.
    Discard(String),
    /// Nothing could be found out.
    Error(ExecutionError),
}

/// A failure, confirmed and shrunk: what a report shows.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The property.
    pub property: &'static str,
    /// The index of the case in which it was found.
    pub index: u64,
    /// Property, check, place and reason: see [`crate::judge::Failure::signature`].
    pub signature: String,
    /// The check that fails in the smallest scenario.
    pub failure: Failure,
    /// The smallest scenario found: what the failing check stands on, and this check alone.
    pub scenario: Scenario,
    /// The choices that make the scenario of which it is a part; none for a hand-made scenario.
    pub tape: Option<Tape>,
    /// Its definitions and exchanges, with the names of the last execution.
    pub record: Record,
    /// The same of the other target, where two are compared.
    pub beside: Option<Box<Record>>,
    /// How often it was run again before shrinking.
    pub attempts: u32,
    /// How often it failed again; fewer than `attempts` is a flaky failure, which is not shrunk.
    pub reproduced: u32,
    /// It fails only on definitions with a history.
    pub needs_history: bool,
    /// What shrinking did.
    pub shrinking: Shrinking,
}

impl Finding {
    /// A failure of a scenario that came from a file, seen once.
    pub(crate) fn of_replay(
        counterexample: &Counterexample,
        failure: Failure,
        record: Record,
        beside: Option<Box<Record>>,
    ) -> Self {
        let known = crate::properties::find(&counterexample.property);
        let requirements = if failure.requirements.is_empty() {
            counterexample.requirements.clone()
        } else {
            failure.requirements.clone()
        };
        Self {
            property: known.map_or("", |property| property.id),
            index: 0,
            signature: format!("{}:{}", counterexample.property, failure.signature),
            failure: Failure { requirements, ..failure },
            scenario: counterexample.scenario.clone(),
            tape: counterexample.tape.clone(),
            record,
            beside,
            attempts: 1,
            reproduced: 1,
            needs_history: false,
            shrinking: Shrinking { stopped_by: "not needed", ..Shrinking::default() },
        }
    }

    /// Whether it did not fail every time.
    pub fn is_flaky(&self) -> bool {
        self.reproduced < self.attempts
    }

    fn freshness(&self) -> Freshness {
        if self.needs_history { Freshness::Pooled } else { Freshness::Fresh }
    }
}

/// What shrinking did.
#[derive(Clone, Debug, Default)]
pub struct Shrinking {
    /// Scenarios executed.
    pub executions: usize,
    /// Those that failed in the same way and became the smallest.
    pub accepted: usize,
    /// Choices at the start.
    pub initial_size: usize,
    /// Choices in the end.
    pub final_size: usize,
    /// Why it ended: `complete`, `executions`, `time`, `not needed`, `known`.
    pub stopped_by: &'static str,
}

/// One scenario, executed and judged.
#[derive(Debug)]
pub struct Attempt {
    /// What came of it.
    pub outcome: Outcome,
    /// The positions of the checks that were judged: none if a definition was refused.
    pub judged: Vec<usize>,
    /// Definitions and exchanges, if they were asked for.
    pub record: Record,
    /// The same of the other target, where two are compared.
    pub beside: Option<Box<Record>>,
    /// Requests that the steps sent.
    pub requests: u64,
}

/// How often a failure is run again before it is believed.
const CONFIRMATIONS: u32 = 3;

/// Executes and judges one scenario.
pub async fn attempt(executor: &Executor, scenario: &Scenario, freshness: Freshness, record: bool) -> Attempt {
    let without_answers =
        |outcome| Attempt { outcome, judged: Vec::new(), record: Record::default(), beside: None, requests: 0 };
    match executor.execute(scenario, freshness, record).await {
        Ok(execution) => {
            let judged = judged(scenario, &execution.transcript);
            let outcome = match judge(scenario, &execution.transcript) {
                Verdict::Pass => Outcome::Pass,
                Verdict::Fail(failures) => Outcome::Fail(failures),
                Verdict::Discard { step } => Outcome::Discard(format!("an assumption about step {step} does not hold")),
            };
            Attempt { outcome, judged, record: execution.record, beside: None, requests: execution.requests }
        }
        Err(ExecutionError::DefinitionRefused(refusal)) => Attempt {
            record: Record { definitions: vec![refusal.document.clone()], ..Record::default() },
            ..without_answers(Outcome::Fail(vec![Failure::of_refusal(&refusal)]))
        },
        Err(error) => without_answers(Outcome::Error(error)),
    }
}

/// Confirms one failure of a case, and shrinks it unless it is known. It is confirmed while no other scenario runs that asks
/// `quiet` first, so that a server under load is not blamed for being late.
pub async fn investigate<E: Examiner>(
    examiner: &Arc<E>,
    quiet: &RwLock<()>,
    property: &'static Property,
    case: &Case,
    failure: Failure,
    options: ExamineOptions,
    known: &Known,
) -> Finding {
    let wanted = failure.signature.clone();
    let Confirmation { attempts, reproduced, needs_history } = {
        let _alone = quiet.write().await;
        confirm(examiner, &case.scenario, &wanted).await
    };
    let mut finding = Finding {
        property: property.id,
        index: case.index,
        signature: format!("{}:{wanted}", property.id),
        failure,
        scenario: case.scenario.clone(),
        tape: case.recording.as_ref().map(|recording| recording.tape.clone()),
        record: Record::default(),
        beside: None,
        attempts,
        reproduced,
        needs_history,
        shrinking: Shrinking { stopped_by: "not needed", ..Shrinking::default() },
    };
    if known.covers(&requirements(&finding.failure, property), &finding.signature) {
        finding.shrinking.stopped_by = "known";
    } else if let Some(recording) = case.recording.clone().filter(|_| !finding.is_flaky()) {
        shrink(examiner, quiet, property, &mut finding, recording, &wanted, options).await;
    }
    {
        let _beside_others = quiet.read().await;
        if !finding.is_flaky() {
            slice(&**examiner, &mut finding, &wanted).await;
        }
        record(&**examiner, &mut finding, &wanted).await;
    }
    finding.failure.requirements = requirements(&finding.failure, property);
    finding
}

/// What the check asserts that failed; all that the property asserts if the check names nothing.
fn requirements(failure: &Failure, property: &Property) -> Vec<String> {
    if failure.requirements.is_empty() {
        property.asserts.iter().map(ToString::to_string).collect()
    } else {
        failure.requirements.clone()
    }
}

/// What came of running a failing scenario again.
struct Confirmation {
    attempts: u32,
    reproduced: u32,
    needs_history: bool,
}

/// Runs a failing scenario again: on fresh definitions, and if it never fails there on those of the pool. An attempt that ends
/// in an error counts as one that does not fail.
async fn confirm<E: Examiner>(examiner: &Arc<E>, scenario: &Scenario, wanted: &str) -> Confirmation {
    let mut reproduced = 0;
    for freshness in [Freshness::Fresh, Freshness::Pooled] {
        for _ in 0..CONFIRMATIONS {
            let outcome = attempt_twice(examiner, scenario, freshness).await.outcome;
            reproduced += u32::from(fails_as(&outcome, wanted).is_some());
        }
        if reproduced > 0 {
            let needs_history = freshness == Freshness::Pooled;
            return Confirmation { attempts: CONFIRMATIONS, reproduced, needs_history };
        }
    }
    Confirmation { attempts: 2 * CONFIRMATIONS, reproduced, needs_history: false }
}

async fn shrink<E: Examiner>(
    examiner: &Arc<E>,
    quiet: &RwLock<()>,
    property: &'static Property,
    finding: &mut Finding,
    recording: Recording,
    wanted: &str,
    options: ExamineOptions,
) {
    let started = Instant::now();
    finding.shrinking.initial_size = recording.tape.size();
    let mut shrinker = Shrinker::new(recording);
    finding.shrinking.stopped_by = loop {
        if finding.shrinking.executions >= options.shrink_executions {
            break "executions";
        }
        if started.elapsed() > options.shrink_time {
            break "time";
        }
        let candidates = shrinker.next_cases(options.batch, |choices| (property.plan)(choices));
        if candidates.is_empty() {
            break "complete";
        }
        let (scenarios, recordings): (Vec<Scenario>, Vec<Recording>) = candidates.into_iter().unzip();
        finding.shrinking.executions += scenarios.len();
        let outcomes = {
            let _beside_others = quiet.read().await;
            attempt_all(examiner, &scenarios).await
        };
        // The first in the order of proposal, whichever came back first: the result does not depend on timing.
        let accepted = outcomes.iter().position(|outcome| fails_as(outcome, wanted).is_some());
        if let Some(at) = accepted {
            finding.shrinking.accepted += 1;
            if let Some(failure) = fails_as(&outcomes[at], wanted) {
                finding.failure = failure.clone();
            }
            finding.scenario = scenarios[at].clone();
            finding.tape = Some(recordings[at].tape.clone());
            shrinker.accept(recordings[at].clone());
        }
    };
    finding.shrinking.final_size = shrinker.best().tape.size();
}

/// Leaves out what the failing check does not stand on, if it fails in the same way without.
async fn slice<E: Examiner>(examiner: &E, finding: &mut Finding, wanted: &str) {
    for part in examiner.parts(&finding.scenario, &finding.failure) {
        finding.shrinking.executions += 1;
        let outcome = examiner.attempt(&part, finding.freshness(), false).await.outcome;
        if let Some(failure) = fails_as(&outcome, wanted) {
            finding.shrinking.accepted += 1;
            finding.failure = failure.clone();
            finding.scenario = part;
            return;
        }
    }
}

/// Executes scenarios side by side; outcomes come in the order of the scenarios.
async fn attempt_all<E: Examiner>(examiner: &Arc<E>, scenarios: &[Scenario]) -> Vec<Outcome> {
    if let [scenario] = scenarios {
        return vec![examiner.attempt(scenario, Freshness::Pooled, false).await.outcome];
    }
    let mut tasks = JoinSet::new();
    for (number, scenario) in scenarios.iter().cloned().enumerate() {
        let examiner = Arc::clone(examiner);
        tasks.spawn(async move { (number, examiner.attempt(&scenario, Freshness::Pooled, false).await.outcome) });
    }
    let mut outcomes: Vec<(usize, Outcome)> = tasks.join_all().await;
    outcomes.sort_by_key(|(number, _)| *number);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Runs the smallest scenario once more and keeps its exchanges.
async fn record<E: Examiner>(examiner: &E, finding: &mut Finding, wanted: &str) {
    let Attempt { outcome, record, beside, .. } = examiner.attempt(&finding.scenario, finding.freshness(), true).await;
    if let Some(failure) = fails_as(&outcome, wanted) {
        finding.failure = failure.clone();
    }
    finding.record = record;
    finding.beside = beside;
}

/// The failure with this signature among those of an outcome.
fn fails_as<'a>(outcome: &'a Outcome, wanted: &str) -> Option<&'a Failure> {
    match outcome {
        Outcome::Fail(failures) => failures.iter().find(|failure| failure.signature == wanted),
        _ => None,
    }
}
