//! The schedule: workers take cases in turn from all properties, so that a budget of time is shared fairly.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{sync::mpsc::UnboundedSender, task::JoinSet};

use super::{
    board::Board,
    case::Case,
    examine::{Attempt, ExamineOptions, Outcome, investigate},
    examiner::{Examiner, attempt_twice},
    interrupt::Interrupt,
    known::Known,
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
    /// Failures that are not shrunk, since they are known.
    pub known: Known,
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

async fn examine<E: Examiner>(
    examiner: &Arc<E>,
    board: &Board,
    events: &UnboundedSender<Event>,
    at: usize,
    case: &Case,
) {
    let property = board.options.properties[at];
    let index = case.index;
    let _in_hand = board.in_hand(at, index);
    let started = Instant::now();
    let cases = case.scenario.cases;
    let Attempt { outcome, judged, requests, .. } = {
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
    let report = CaseReport {
        // A refused definition is a failure, and no check of the scenario was judged.
        cases: if said && (!judged.is_empty() || property.is_exploration()) { cases } else { 0 },
        asserted: if said { asserted(property, &case.scenario, &judged) } else { Vec::new() },
        requests,
        ..report(property, index, outcome, started)
    };
    if !said {
        board.unplan(at, cases);
    }
    if let CaseOutcome::Error(error) = &report.outcome
        && board.raises_doubt(at)
        && !examiner.answers_again().await
    {
        board.lose(error.clone());
    }
    settle(board, events, at, report);
    for failure in failures {
        let signature = failure.signature.clone();
        if !board.takes_up(at, &signature) {
            continue;
        }
        let RunOptions { examine, known, .. } = &board.options;
        let finding = investigate(examiner, &board.quiet, property, case, failure, *examine, known).await;
        if finding.is_flaky() {
            board.tries_again(at, &signature);
        }
        let _ = events.send(Event::Found(Box::new(finding)));
    }
}

fn report(property: &'static Property, index: u64, outcome: CaseOutcome, started: Instant) -> CaseReport {
    let microseconds = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    CaseReport { property, index, outcome, cases: 0, asserted: Vec::new(), requests: 0, microseconds }
}

/// Which of the property's references these checks of a scenario name.
fn asserted(property: &Property, scenario: &Scenario, judged: &[usize]) -> Vec<usize> {
    let checks = judged.iter().filter_map(|at| scenario.checks.get(*at));
    let named: BTreeSet<&str> = checks.flat_map(|check| &check.asserts).map(String::as_str).collect();
    property.asserts.iter().enumerate().filter(|(_, reference)| named.contains(*reference)).map(|(at, _)| at).collect()
}

/// Books a finished case and tells of it, and of the property if it is given up by it.
fn settle(board: &Board, events: &UnboundedSender<Event>, at: usize, report: CaseReport) {
    let property = report.property;
    let reason = board.book(at, &report);
    let _ = events.send(Event::Case(report));
    if let Some(reason) = reason {
        let _ = events.send(Event::GivenUp { property, reason });
    }
}
