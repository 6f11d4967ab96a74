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

use tokio::{
    sync::{RwLock, mpsc::UnboundedSender, watch},
    task::JoinSet,
};

use super::{
    case::Case,
    examine::{Attempt, ExamineOptions, Outcome, investigate},
    examiner::{Examiner, attempt_twice},
    state::{CaseOutcome, CaseReport, Event, Stop, Summary},
};
use crate::{
    execute::Freshness,
    properties::{Capability, Property},
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

impl RunOptions {
    /// Leaves out the properties that need what is missing; the events say which.
    pub(crate) fn leave_out(
        &mut self,
        missing: impl Fn(&Property) -> Option<Capability>,
        events: &UnboundedSender<Event>,
    ) {
        self.properties.retain(|property| match missing(property) {
            Some(because) => {
                let _ = events.send(Event::LeftOut { property, because });
                false
            }
            None => true,
        });
    }
}

/// A property is given up after so many failing scenarios: more of them say nothing new. It is above the minimum of cases
/// that a verdict wants, so that a failure which is known does not leave a run incomplete.
const FAILING_CASES: u64 = 60;
/// … or when so many scenarios in a row were discarded.
const DISCARDS_IN_A_ROW: u32 = 200;
/// … or when so many of its scenarios in a row ended in an error.
const ERRORS_OF_A_PROPERTY: u32 = 10;
/// After so many errors in a row, over all workers, the target is asked whether it is still there.
const ERRORS_IN_A_ROW: u32 = 16;
/// A failure that does not come again every time is looked at in so many cases, until it does in one.
const TRIES_OF_A_SIGNATURE: u32 = 5;

/// Runs all cases. The interrupt ends the run early: cases in flight are dropped, and what they made is removed by
/// [`Executor::clean_up`](crate::execute::Executor::clean_up), which the caller calls in any case.
pub async fn run<E: Examiner>(
    examiner: Arc<E>,
    options: RunOptions,
    events: UnboundedSender<Event>,
    interrupt: Interrupt,
) -> Summary {
    let board = Arc::new(Board::new(options));
    let mut workers = JoinSet::new();
    for number in 0..board.options.workers.max(1) {
        let (examiner, board, events) = (Arc::clone(&examiner), Arc::clone(&board), events.clone());
        workers.spawn(async move { work(&examiner, &board, &events, number).await });
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
    Summary { stop, cases: board.judged(), requests: examiner.requests() }
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
    /// Held by whoever confirms a failure, and shared by all who run scenarios.
    quiet: RwLock<()>,
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
    errors_in_a_row: u32,
    /// The failures that were looked at.
    signatures: BTreeMap<String, Looks>,
    given_up: bool,
}

impl Board {
    fn new(options: RunOptions) -> Self {
        let progress = options.properties.iter().map(|_| Mutex::default()).collect();
        let (lost, broken) = (Mutex::default(), Mutex::default());
        let errors_in_a_row = AtomicU32::new(0);
        Self { options, progress, errors_in_a_row, lost, quiet: RwLock::default(), broken }
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

    /// The next case of a property, if it has some left; an index and a reason if the generator gave it up. It is planned before anyone else asks: which indices
    /// are run depends on how many cases each holds, and must not depend on who is first.
    fn next_case(&self, property: usize) -> Option<Result<Case, (u64, &'static str)>> {
        let id = self.options.properties[property].id;
        let edges = self.options.properties[property].edges.len() as u64;
        let mut progress = self.progress(property);
        while !progress.given_up && (progress.planned < self.options.cases || progress.next < edges) {
            let index = progress.next;
            progress.next += 1;
            if !self.options.finished.contains(&(id, index)) {
                let property = self.options.properties[property];
                let _in_hand = InHand { board: self, case: (property.id, index) };
                let case = Case::plan(property, self.options.seed, index);
                progress.planned += case.as_ref().map_or(0, |case| u64::from(case.scenario.cases));
                return Some(case.map_err(|reason| (index, reason)));
            }
            // What an earlier run finished counts as one case here; its journal says how many it was.
            progress.planned += 1;
        }
        None
    }
}

async fn work<E: Examiner>(examiner: &Arc<E>, board: &Board, events: &UnboundedSender<Event>, number: usize) {
    let count = board.options.properties.len();
    if count == 0 {
        return;
    }
    let mut turn = number;
    let mut idle = 0;
    while idle < count && board.lost().is_none() {
        let at = turn % count;
        turn += 1;
        match board.next_case(at) {
            Some(Ok(case)) => {
                idle = 0;
                examine(examiner, board, events, at, &case).await;
            }
            Some(Err((index, reason))) => {
                idle = 0;
                let outcome = CaseOutcome::Discard(reason.to_owned());
                settle(board, events, at, report(board.options.properties[at], index, outcome, Instant::now()));
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

async fn examine<E: Examiner>(
    examiner: &Arc<E>,
    board: &Board,
    events: &UnboundedSender<Event>,
    at: usize,
    case: &Case,
) {
    let property = board.options.properties[at];
    let index = case.index;
    let _in_hand = InHand { board, case: (property.id, index) };
    let started = Instant::now();
    let cases = case.scenario.cases;
    let Attempt { outcome, requests, .. } = {
        let _beside_others = board.quiet.read().await;
        attempt_twice(examiner, &case.scenario, Freshness::Pooled).await
    };
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
    let error = if let CaseOutcome::Error(error) = &report.outcome { Some(error.clone()) } else { None };
    if let Some(error) = error {
        let in_a_row = board.errors_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
        let of_property = board.progress(at).errors_in_a_row + 1;
        if (in_a_row.is_multiple_of(ERRORS_IN_A_ROW) || of_property >= ERRORS_OF_A_PROPERTY)
            && !examiner.answers_again().await
        {
            board.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
    settle(board, events, at, report);
    for failure in failures {
        let signature = failure.signature.clone();
        if !board.progress(at).takes_up(&signature) {
            continue;
        }
        let finding = investigate(examiner, &board.quiet, property, case, failure, board.options.examine).await;
        if finding.is_flaky() {
            board.progress(at).tries_again(&signature);
        }
        let _ = events.send(Event::Found(Box::new(finding)));
    }
}

/// How often a failure was looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Looks {
    tries: u32,
    /// A worker looks at it now, or it came again every time.
    is_taken: bool,
}

impl Progress {
    /// Whether a failure is to be looked at; nobody else does from then on.
    fn takes_up(&mut self, signature: &str) -> bool {
        let looks = self.signatures.entry(signature.to_owned()).or_default();
        if looks.is_taken || looks.tries >= TRIES_OF_A_SIGNATURE {
            return false;
        }
        *looks = Looks { tries: looks.tries + 1, is_taken: true };
        true
    }

    /// Says that a failure did not come again every time: another case of it may show more.
    fn tries_again(&mut self, signature: &str) {
        if let Some(looks) = self.signatures.get_mut(signature) {
            looks.is_taken = false;
        }
    }
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
                progress.errors_in_a_row = 0;
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
            CaseOutcome::Error(_) => {
                progress.errors_in_a_row += 1;
                if progress.errors_in_a_row >= ERRORS_OF_A_PROPERTY {
                    reason = Some("its cases end in errors");
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
