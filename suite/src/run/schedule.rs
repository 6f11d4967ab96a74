//! The schedule: workers take cases in turn from all properties, so that a budget of time is shared fairly.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{sync::mpsc::UnboundedSender, sync::watch, task::JoinSet};

use super::{
    case::Case,
    examine::{Attempt, ExamineOptions, Outcome, attempt, investigate},
    state::{CaseOutcome, CaseReport, Event, Stop, Summary},
};
use crate::{
    execute::{Executor, Freshness},
    properties::Property,
    scenario::Scenario,
};

/// What is run, and how much.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The properties, none of which needs what the target lacks.
    pub properties: Vec<&'static Property>,
    /// The seed of all choices.
    pub seed: u64,
    /// Judged cases for each property.
    pub cases: u64,
    /// The run ends after this, whatever is left.
    pub time: Option<Duration>,
    /// Cases in flight.
    pub workers: usize,
    /// How failures are examined.
    pub examine: ExamineOptions,
    /// Cases that an earlier run has finished: they are not run again.
    pub finished: BTreeSet<(&'static str, u64)>,
}

/// A property is given up after so many failing scenarios: more of them say nothing new. It is above the minimum of cases
/// that a verdict wants, so that a failure which is known does not leave a run incomplete.
const FAILING_CASES: u64 = 60;
/// … or when so many scenarios in a row were discarded.
const DISCARDS_IN_A_ROW: u32 = 200;
/// The target counts as lost after so many errors in a row, over all workers.
const ERRORS_IN_A_ROW: u32 = 16;

/// Runs all cases. The interrupt ends the run early: cases in flight are dropped, and what they made is removed by
/// [`Executor::clean_up`], which the caller calls in any case.
pub async fn run(
    executor: Arc<Executor>,
    options: RunOptions,
    events: UnboundedSender<Event>,
    interrupt: Interrupt,
) -> Summary {
    let board = Arc::new(Board::new(options));
    let mut workers = JoinSet::new();
    for number in 0..board.options.workers.max(1) {
        let (executor, board, events) = (Arc::clone(&executor), Arc::clone(&board), events.clone());
        workers.spawn(async move { work(&executor, &board, &events, number).await });
    }
    // A worker ends early by a panic only, and what it had taken in hand is then lost: nothing may be concluded any more.
    let all = async {
        while let Some(ended) = workers.join_next().await {
            if let Err(error) = ended
                && error.is_panic()
            {
                return Some(Stop::Broken(board.broken_at(&*error.into_panic())));
            }
        }
        None
    };
    let out_of_time = async {
        match board.options.time {
            Some(time) => tokio::time::sleep(time).await,
            None => std::future::pending().await,
        }
    };
    let stop = tokio::select! {
        broken = all => broken.unwrap_or_else(|| board.lost().map_or(Stop::Finished, Stop::TargetLost)),
        () = out_of_time => Stop::Time,
        () = interrupt.raised() => Stop::Interrupted,
    };
    workers.shutdown().await;
    Summary { stop, cases: board.judged(), requests: executor.requests() }
}

/// Ends a run early.
#[derive(Clone, Debug)]
pub struct Interrupt(watch::Receiver<bool>);

impl Interrupt {
    /// An interrupt and the handle that raises it.
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (sender, receiver) = watch::channel(false);
        (sender, Self(receiver))
    }

    /// An interrupt that nobody raises.
    pub fn never() -> Self {
        Self::new().1
    }

    /// Returns once it is raised; never if nobody can raise it any more.
    pub async fn raised(mut self) {
        if self.0.wait_for(|raised| *raised).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// What the workers share.
struct Board {
    options: RunOptions,
    progress: Vec<Mutex<Progress>>,
    errors_in_a_row: AtomicU32,
    lost: Mutex<Option<String>>,
    /// The case at which a worker panicked.
    broken: Mutex<Option<(&'static str, u64)>>,
}

/// How far a property is.
#[derive(Debug, Default)]
struct Progress {
    next: u64,
    /// Cases judged or in flight.
    planned: u64,
    judged: u64,
    failing: u64,
    discards_in_a_row: u32,
    signatures: BTreeSet<String>,
    given_up: bool,
}

impl Board {
    fn new(options: RunOptions) -> Self {
        let progress = options.properties.iter().map(|_| Mutex::default()).collect();
        let (lost, broken) = (Mutex::default(), Mutex::default());
        Self { options, progress, errors_in_a_row: AtomicU32::new(0), lost, broken }
    }

    fn progress(&self, property: usize) -> std::sync::MutexGuard<'_, Progress> {
        self.progress[property].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lost(&self) -> Option<String> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where a worker panicked, and with which words.
    fn broken_at(&self, panic: &(dyn Any + Send)) -> String {
        let words = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref().map(String::as_str));
        let words = words.unwrap_or("a panic without words");
        match *self.broken.lock().unwrap_or_else(PoisonError::into_inner) {
            Some((property, index)) => format!("{property}, scenario {index}: {words}"),
            None => words.to_owned(),
        }
    }

    fn judged(&self) -> BTreeMap<&'static str, u64> {
        self.options
            .properties
            .iter()
            .enumerate()
            .map(|(at, property)| (property.id, self.progress(at).judged))
            .collect()
    }

    /// The next index of a property, if it has cases left.
    fn next_index(&self, property: usize) -> Option<u64> {
        let id = self.options.properties[property].id;
        let edges = self.options.properties[property].edges.len() as u64;
        let mut progress = self.progress(property);
        while !progress.given_up && (progress.planned < self.options.cases || progress.next < edges) {
            let index = progress.next;
            progress.next += 1;
            if !self.options.finished.contains(&(id, index)) {
                return Some(index);
            }
            // What an earlier run finished counts as one case here; its journal says how many it was.
            progress.planned += 1;
        }
        None
    }
}

async fn work(executor: &Arc<Executor>, board: &Board, events: &UnboundedSender<Event>, number: usize) {
    let count = board.options.properties.len();
    if count == 0 {
        return;
    }
    let mut turn = number;
    let mut idle = 0;
    while idle < count && board.lost().is_none() {
        let at = turn % count;
        turn += 1;
        match board.next_index(at) {
            Some(index) => {
                idle = 0;
                examine(executor, board, events, at, index).await;
            }
            None => idle += 1,
        }
        // In process nothing ever waits, and the clock and the interrupt want their turn.
        tokio::task::yield_now().await;
    }
}

/// A case in hand: if its worker panics, the board says at which case.
struct InHand<'a> {
    board: &'a Board,
    case: (&'static str, u64),
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.board.broken.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(self.case);
        }
    }
}

async fn examine(executor: &Arc<Executor>, board: &Board, events: &UnboundedSender<Event>, at: usize, index: u64) {
    let property = board.options.properties[at];
    let _in_hand = InHand { board, case: (property.id, index) };
    let started = Instant::now();
    let case = match Case::plan(property, board.options.seed, index) {
        Ok(case) => case,
        Err(reason) => {
            return settle(
                board,
                events,
                at,
                report(property, index, CaseOutcome::Discard(reason.to_owned()), started),
            );
        }
    };
    let cases = case.scenario.cases;
    board.progress(at).planned += u64::from(cases);
    let Attempt { outcome, requests, .. } = attempt_twice(executor, &case.scenario).await;
    let mut failures = Vec::new();
    let outcome = match outcome {
        Outcome::Pass => CaseOutcome::Pass,
        Outcome::Discard(reason) => CaseOutcome::Discard(reason),
        Outcome::Error(error) => CaseOutcome::Error(error.to_string()),
        Outcome::Fail(found) => {
            let signatures = found.iter().map(|failure| format!("{}:{}", property.id, failure.signature)).collect();
            failures = found;
            CaseOutcome::Fail(signatures)
        }
    };
    let said = matches!(outcome, CaseOutcome::Pass | CaseOutcome::Fail(_));
    let asserted = if said { asserted(property, &case.scenario) } else { Vec::new() };
    let report = CaseReport {
        cases: if said { cases } else { 0 },
        asserted,
        requests,
        ..report(property, index, outcome, started)
    };
    if !said {
        let mut progress = board.progress(at);
        progress.planned = progress.planned.saturating_sub(u64::from(cases));
    }
    settle(board, events, at, report);
    for failure in failures {
        if board.progress(at).signatures.insert(failure.signature.clone())
            && let Some(finding) = investigate(executor, property, &case, failure, board.options.examine).await
        {
            let _ = events.send(Event::Found(Box::new(finding)));
        }
    }
}

/// Tries a scenario again if it ended in an error: what goes wrong once is the network's, what goes wrong twice is told.
async fn attempt_twice(executor: &Executor, scenario: &Scenario) -> Attempt {
    let first = attempt(executor, scenario, Freshness::Pooled, false).await;
    if !matches!(first.outcome, Outcome::Error(_)) {
        return first;
    }
    let second = attempt(executor, scenario, Freshness::Pooled, false).await;
    Attempt { requests: first.requests + second.requests, ..second }
}

fn report(property: &'static Property, index: u64, outcome: CaseOutcome, started: Instant) -> CaseReport {
    let microseconds = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    CaseReport { property, index, outcome, cases: 0, asserted: Vec::new(), requests: 0, microseconds }
}

fn asserted(property: &Property, scenario: &Scenario) -> Vec<usize> {
    let named: BTreeSet<&str> = scenario.checks.iter().flat_map(|check| &check.asserts).map(String::as_str).collect();
    property.asserts.iter().enumerate().filter(|(_, reference)| named.contains(*reference)).map(|(at, _)| at).collect()
}

/// Books a finished case, and gives the property or the target up where that is due.
fn settle(board: &Board, events: &UnboundedSender<Event>, at: usize, report: CaseReport) {
    let property = report.property;
    let mut reason = None;
    {
        let mut progress = board.progress(at);
        match &report.outcome {
            CaseOutcome::Pass | CaseOutcome::Fail(_) => {
                progress.judged += u64::from(report.cases);
                progress.discards_in_a_row = 0;
                board.errors_in_a_row.store(0, Ordering::Relaxed);
                if matches!(report.outcome, CaseOutcome::Fail(_)) {
                    progress.failing += 1;
                    if progress.failing >= FAILING_CASES {
                        reason = Some("it failed often enough");
                    }
                }
            }
            CaseOutcome::Discard(_) => {
                progress.discards_in_a_row += 1;
                if progress.discards_in_a_row >= DISCARDS_IN_A_ROW {
                    reason = Some("no case of it says anything");
                }
            }
            CaseOutcome::Error(error) => {
                if board.errors_in_a_row.fetch_add(1, Ordering::Relaxed) + 1 >= ERRORS_IN_A_ROW {
                    board.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.clone());
                }
            }
        }
        if progress.given_up {
            reason = None;
        }
        progress.given_up |= reason.is_some();
    }
    let _ = events.send(Event::Case(report));
    if let Some(reason) = reason {
        let _ = events.send(Event::GivenUp { property, reason });
    }
}
