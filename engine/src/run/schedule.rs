//! The workers of a run. They take cases from all properties alike, so that a budget of time is shared fairly.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use crdible_journal::Failure;
use crdible_scenario::{AnyScenario, Case, ScenarioSource, judge::FailedCheck, transcript::Transcript};
use tokio::{sync::mpsc::UnboundedSender, task::JoinSet, time::Instant};

use super::{
    attempt::{Attempt, AttemptOutcome, Examiner, Trial, attempt_twice},
    event::{CaseOutcome, CaseReport, Event, Stop, Summary},
    finding::ConfirmedFinding,
    interrupt::Interrupt,
    investigate::{Draft, Suspicion, investigate, requirements, unconfirmed},
    options::RunOptions,
    progress::{Next, Progress},
    silence::confirm_silence,
    symptom::symptom,
};
use crate::connection::patiently;

/// The grace period for shrinking after the time limit.
const GRACE: Duration = Duration::from_secs(3);

/// Runs all cases. The interrupt ends the run early: cases in flight are dropped, and what they created is removed by
/// [`Executor::clean_up`](crate::execute::Executor::clean_up), which the caller calls in any case.
pub async fn run<E: Examiner>(
    examiner: Arc<E>,
    options: RunOptions,
    events: UnboundedSender<Event>,
    interrupt: Interrupt,
) -> Summary {
    let progress = Arc::new(Progress::new(options));
    let mut workers = JoinSet::new();
    for _ in 0..progress.options.workers.max(1) {
        let worker =
            Worker { examiner: Arc::clone(&examiner), progress: Arc::clone(&progress), events: events.clone() };
        workers.spawn(async move { worker.work().await });
    }
    // A worker ends early only if it panics. Its case is then lost, so the run has no verdict.
    let all = async {
        while let Some(ended) = workers.join_next().await {
            if let Err(error) = ended
                && error.is_panic()
            {
                return Some(Stop::Broken(progress.panic_message(&*error.into_panic())));
            }
        }
        None
    };
    let work = async {
        let broken = all.await;
        if broken.is_some() {
            return broken;
        }
        progress.access.set_calm();
        let panic = progress.investigations.all_ended().await.err()?;
        Some(Stop::Broken(progress.panic_message(&*panic.into_panic())))
    };
    let out_of_time = async {
        match progress.options.time {
            Some(time) => tokio::time::sleep(time).await,
            None => std::future::pending().await,
        }
    };
    let stop = tokio::select! {
        broken = work => broken.unwrap_or_else(|| progress.ending()),
        error = progress.access.until_lost() => Stop::TargetLost(error),
        () = out_of_time => Stop::Time,
        slowdown = progress.until_too_slow() => Stop::Slow(slowdown),
        () = progress.access.until_failed_enough() => Stop::Failures,
        () = interrupt.raised() => Stop::Interrupted,
    };
    workers.shutdown().await;
    let mut panic = None;
    if matches!(stop, Stop::Time | Stop::Slow(_) | Stop::Failures) {
        progress.investigations.begin_no_more();
        let ended = tokio::time::timeout(GRACE, progress.investigations.all_ended()).await;
        panic = ended.ok().and_then(Result::err);
    }
    let panic = progress.investigations.abort().await.or(panic);
    let stop = panic.map_or(stop, |panic| Stop::Broken(progress.panic_message(&*panic.into_panic())));
    for note in progress.late.note().into_iter().chain(examiner.note()) {
        let _ = events.send(Event::Note(note));
    }
    let sent = progress.coverage.sent();
    Summary { stop, cases: progress.judged(), requests: examiner.requests(), sent }
}

struct Worker<E> {
    examiner: Arc<E>,
    progress: Arc<Progress>,
    events: UnboundedSender<Event>,
}

impl<E> Clone for Worker<E> {
    fn clone(&self) -> Self {
        Self { examiner: Arc::clone(&self.examiner), progress: Arc::clone(&self.progress), events: self.events.clone() }
    }
}

impl<E: Examiner> Worker<E> {
    async fn work(&self) {
        while self.progress.access.lost().is_none() && !self.progress.takes_no_more_cases() {
            match self.progress.next_case() {
                Some(Next { source, case: Ok(case) }) => {
                    self.run_case(source, case).await;
                    self.progress.notice(self.examiner.slowdown());
                }
                Some(Next { source, case: Err((index, reason)) }) => {
                    let outcome = CaseOutcome::Discard(reason.to_owned());
                    let report = report(self.progress.options.sources[source], index, outcome, Duration::ZERO);
                    self.settle(source, report, false);
                }
                None => break,
            }
            // In process no request ever waits, so yield to let the timer and the interrupt run.
            tokio::task::yield_now().await;
        }
    }

    async fn run_case(&self, at: usize, case: Case) {
        let Self { examiner, progress, .. } = self;
        let source = progress.options.sources[at];
        let _in_hand = progress.in_hand(at, case.index);
        let started = Instant::now();
        let attempt = {
            let _beside_others = progress.access.beside_others().await;
            attempt_twice(examiner, &progress.access, Trial::new(source.id(), &case.scenario)).await
        };
        let AttemptOutcome::Error(error) = &attempt.outcome else {
            return self.conclude(at, &case, attempt, started.elapsed()).await;
        };
        let waits = E::is_of_waiting(error);
        let is_silent = attempt.silenced.is_some();
        let is_run_again = progress.access.lost().is_none() && (is_silent || waits && progress.late.take(at));
        if !is_run_again {
            return self.conclude(at, &case, attempt, started.elapsed()).await;
        }
        let error = Some((error.to_string(), started.elapsed()));
        progress.silences[at].open.fetch_add(u32::from(is_silent), Ordering::Relaxed);
        if let Some(failed) = &attempt.silenced {
            self.suspect(source, &case, failed);
        }
        let undecided = Undecided { worker: self.clone(), at, case, error, waits, silenced: attempt.silenced };
        progress.investigations.start(undecided.run_again());
    }

    /// Reports how a case ended, and has its failures investigated.
    async fn conclude(&self, at: usize, case: &Case, attempt: Attempt<E::Error>, elapsed: Duration) {
        let Self { examiner, progress, .. } = self;
        let source = progress.options.sources[at];
        let cases = case.scenario.cases();
        let Attempt { outcome, judged, requests, answers, .. } = attempt;
        self.learn(source, case, answers.as_ref());
        let ended = match CaseOutcome::of(&outcome) {
            CaseOutcome::Pass if judged.is_empty() && !source.needs_no_checks() => {
                CaseOutcome::Discard("nothing of it could be judged".to_owned())
            }
            ended => ended,
        };
        let failed = outcome.into_failed();
        let is_judged = matches!(ended, CaseOutcome::Pass | CaseOutcome::Fail(_));
        if let (Some(answers), Some(scenario), true) = (&answers, case.scenario.server(), is_judged) {
            progress.coverage.note(source, scenario, answers);
        }
        let report = CaseReport {
            // A rejected definition is a failure, even if no check of the scenario was judged.
            cases: if is_judged && (!judged.is_empty() || source.needs_no_checks()) { cases } else { 0 },
            asserted: if is_judged { self.asserted(source, &case.scenario, &judged) } else { Vec::new() },
            requests,
            ..report(source, case.index, ended, elapsed)
        };
        if !is_judged {
            progress.unplan(at, case);
        }
        if let CaseOutcome::Error(error) = &report.outcome
            && progress.doubts_the_target(at)
            && !examiner.answers_again().await
        {
            progress.access.set_lost(error.clone());
        }
        let is_known = failed.iter().all(|failed| self.is_known(source, &failed.failure));
        self.settle(at, report, is_known);
        for failed in failed {
            if progress.take_up(at, &failed.failure.signature, case.index) {
                self.investigate(at, case.clone(), failed);
            }
        }
    }

    /// Reports to the supply of the run that a case has run: once for each case.
    fn learn(&self, source: ScenarioSource, case: &Case, answers: Option<&Transcript>) {
        if let Some(supply) = &self.progress.options.supply {
            supply.learn(source, case, answers);
        }
    }

    /// Whether a failure is known to occur on the target.
    fn is_known(&self, source: ScenarioSource, failure: &Failure) -> bool {
        self.progress.options.known.covers(&requirements(failure, source), &failure.signature)
    }

    /// Reports a failure that needs no investigation, since it is confirmed.
    fn report_confirmed(&self, at: usize, finding: ConfirmedFinding) {
        let progress = &self.progress;
        // So that no other case has it investigated.
        progress.take_up(at, finding.signature(), finding.index);
        let symptom = finding.symptom();
        let is_known = self.is_known(progress.options.sources[at], finding.failure());
        let _ = self.events.send(Event::Found(Box::new(finding)));
        if !is_known {
            progress.investigations.confirmed(&symptom);
            progress.confirm(&symptom);
        }
    }

    /// Which of the source's references these checks of a scenario assert,
    /// without those that the target cannot fully show.
    fn asserted(&self, source: ScenarioSource, scenario: &AnyScenario, judged: &[usize]) -> Vec<usize> {
        let in_part = self.examiner.judged_in_part(source);
        asserted(source, scenario, judged).into_iter().filter(|at| !in_part.contains(at)).collect()
    }

    /// Reports a failure that is about to be confirmed, unless it is known.
    fn suspect(&self, source: ScenarioSource, case: &Case, failed: &FailedCheck) {
        if !self.is_known(source, &failed.failure) {
            let _ = self.events.send(Event::Suspected(Box::new(unconfirmed(source, case, failed))));
        }
    }

    /// Investigates a failure beside the cases. A limited number of investigations runs at once, so that cases go on.
    fn investigate(&self, at: usize, case: Case, failed: FailedCheck) {
        let is_known = self.is_known(self.progress.options.sources[at], &failed.failure);
        self.suspect(self.progress.options.sources[at], &case, &failed);
        let Self { examiner, progress, events } = self.clone();
        self.progress.investigations.start(async move {
            let source = progress.options.sources[at];
            let signature = failed.failure.signature.clone();
            let symptom = symptom(&case.scenario, &failed);
            // If the run ends before its turn, the failure is reported as it was seen.
            let mut draft = Draft::of(events, source, &case, &failed);
            let Some(turn) = progress.investigations.turn(&symptom, !is_known).await else { return };
            let shrink = progress.shrink(turn.depth);
            let turn = &mut Some(turn);
            let _in_hand = progress.in_hand(at, case.index);
            let seen_in = || progress.seen_in(at, &signature);
            let suspicion = Suspicion { source, case: &case, failed, is_known, seen_in: &seen_in, shrink };
            let finding = investigate(&examiner, &progress.access, turn, suspicion, &mut draft).await;
            let counts = !finding.is_flaky() && !is_known;
            if finding.is_flaky() {
                progress.try_again(at, &signature);
            } else if counts {
                progress.investigations.confirmed(&symptom);
            }
            let seen = if symptom.is_empty() { signature.to_string() } else { symptom };
            draft.replace(finding);
            if counts {
                progress.confirm(&seen);
            }
        });
    }

    /// Records and reports a finished case, and reports its source if that is stopped.
    fn settle(&self, at: usize, report: CaseReport, is_known: bool) {
        let property = report.property;
        let reason = self.progress.record(at, &report, is_known);
        let _ = self.events.send(Event::Case(report));
        if let Some(reason) = reason {
            let _ = self.events.send(Event::Stopped { property, reason });
        }
    }
}

/// A case in which something was late, or a request got no answer, and which is to be run once more. If it is not, it
/// counts as ended by its error.
struct Undecided<E: Examiner> {
    worker: Worker<E>,
    at: usize,
    case: Case,
    /// The error, and how long it took.
    error: Option<(String, Duration)>,
    /// Whether it waited until a deadline.
    waits: bool,
    /// What fails if the request never gets an answer.
    silenced: Option<Box<FailedCheck>>,
}

impl<E: Examiner> Undecided<E> {
    async fn run_again(mut self) {
        let progress = Arc::clone(&self.worker.progress);
        let is_concluded = match &self.silenced {
            Some(failed) if self.is_never_answered(failed).await => true,
            Some(_) => self.waits && progress.late.take(self.at) && self.is_concluded().await,
            None => self.is_concluded().await,
        };
        if is_concluded {
            self.error = None;
        }
    }

    /// Whether the request never gets an answer, as running the case again at once shows; then that is its failure, and
    /// its source is stopped: more of its cases would wait as long. It is not run again if that was shown of another
    /// case of the source.
    async fn is_never_answered(&self, failed: &FailedCheck) -> bool {
        let Self { worker, at, case, waits, .. } = self;
        let Worker { examiner, progress, events } = worker;
        let source = progress.options.sources[*at];
        let mut seen = progress.silences[*at].seen.lock().await;
        if seen.is_open() {
            let _in_hand = progress.in_hand(*at, case.index);
            let stop = || {
                if progress.stop(*at) {
                    let (property, reason) = (source.id(), "a request of it gets no answer");
                    let _ = events.send(Event::Stopped { property, reason });
                }
            };
            let finding = confirm_silence(examiner, &progress.access, source, case, failed, *waits, stop).await;
            seen.note(finding.as_ref());
            if let Some(mut finding) = finding {
                finding.failed.failure.requirements = requirements(finding.failure(), source);
                self.settle_as(Some(&finding.failed));
                worker.report_confirmed(*at, finding);
                stop();
                return true;
            }
        }
        let Some(confirmed) = &seen.confirmed else { return false };
        self.settle_as((*confirmed == failed.failure.signature).then_some(failed));
        true
    }

    /// Reports that this check of the case failed; or, if another scenario has shown its failure, that it shows nothing.
    fn settle_as(&self, failed: Option<&FailedCheck>) {
        let Self { worker, at, case, error, .. } = self;
        let (progress, cases) = (&worker.progress, case.scenario.cases());
        let source = progress.options.sources[*at];
        let elapsed = error.as_ref().map_or(Duration::ZERO, |(_, elapsed)| *elapsed);
        let of = |outcome| report(source, case.index, outcome, elapsed);
        worker.learn(source, case, None);
        if let Some(FailedCheck { failure, check, .. }) = failed {
            let asserted = worker.asserted(source, &case.scenario, check.as_slice());
            let report = CaseReport { cases, asserted, ..of(CaseOutcome::Fail(vec![failure.signature.clone()])) };
            worker.settle(*at, report, worker.is_known(source, failure));
        } else {
            progress.unplan(*at, case);
            let reason = "a request got no answer, as in another scenario of the property";
            worker.settle(*at, of(CaseOutcome::Discard(reason.to_owned())), false);
        }
    }

    /// Runs it once more when all others are done, unless too many were late again, and reports how it ended.
    async fn is_concluded(&self) -> bool {
        let Self { worker, at, case, .. } = self;
        let Worker { examiner, progress, .. } = worker;
        let source = progress.options.sources[*at];
        progress.access.until_calm().await;
        let Some(_turn) = progress.late.turn().await else { return false };
        let _in_hand = progress.in_hand(*at, case.index);
        let started = Instant::now();
        let attempt = {
            let _beside_others = progress.access.beside_others().await;
            patiently(attempt_twice(examiner, &progress.access, Trial::new(source.id(), &case.scenario))).await
        };
        progress.late.ended(matches!(&attempt.outcome, AttemptOutcome::Error(error) if E::is_of_waiting(error)));
        worker.conclude(*at, case, attempt, started.elapsed()).await;
        true
    }
}

impl<E: Examiner> Drop for Undecided<E> {
    fn drop(&mut self) {
        if self.silenced.is_some() {
            self.worker.progress.silences[self.at].open.fetch_sub(1, Ordering::Relaxed);
        }
        if let Some((error, elapsed)) = self.error.take() {
            let Self { worker, at, case, .. } = self;
            worker.progress.unplan(*at, case);
            let source = worker.progress.options.sources[*at];
            worker.learn(source, case, None);
            worker.settle(*at, report(source, case.index, CaseOutcome::Error(error), elapsed), false);
        }
    }
}

fn report(source: ScenarioSource, index: u64, outcome: CaseOutcome, elapsed: Duration) -> CaseReport {
    let microseconds = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    let property = source.id();
    CaseReport { property, index, outcome, cases: 0, asserted: Vec::new(), requests: 0, microseconds }
}

/// Which of the source's references these checks of a scenario name.
fn asserted(source: ScenarioSource, scenario: &AnyScenario, judged: &[usize]) -> Vec<usize> {
    let checks = scenario.asserts();
    let named: BTreeSet<&str> =
        judged.iter().filter_map(|at| checks.get(*at)).copied().flatten().map(String::as_str).collect();
    let references = source.asserts().iter().enumerate();
    references.filter(|(_, reference)| named.contains(*reference)).map(|(at, _)| at).collect()
}
