//! Servers that do not answer, or with errors now and then.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    sync::{Arc, OnceLock},
    time::Duration,
};

use crdible::{
    connection::{
        BackoffOptions, BackoffTransport, HttpRequest, RequestSummary, ResponseFuture, Transport, TransportError,
    },
    execute::ExecutionError,
    judge::NO_ANSWER,
    properties::Capability,
    run::{
        Case, CaseOutcome, ConfirmedFinding, Counterexample, Event, Interrupt, Replayer, RunOptions, ScenarioSource,
        Session, Standing, Stop, Summary, Supply,
    },
    transcript::Transcript,
};
use crdible_semantics::Release;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::{
    sync::{Mutex, mpsc},
    time::Instant,
};

use super::{answered, assert_all_pass, behind_rule, embedded, instead, one_less, open, run, sound};

/// A server that fails every create whose number the rule selects; also the number of creates so far, without the probes
/// for the served schema.
fn unsteady(
    fails: fn(u32) -> bool,
    how: fn(RequestSummary) -> ResponseFuture<'static>,
) -> (Arc<dyn Transport>, Arc<AtomicU32>) {
    otherwise(fails, move |_, request| how(RequestSummary::new("somewhere", request.method(), request.uri())))
}

/// The same, where such a create is answered in another way.
fn otherwise(
    is_such: impl Fn(u32) -> bool + Send + Sync + 'static,
    how: impl Fn(&Arc<dyn Transport>, &HttpRequest) -> ResponseFuture<'static> + Send + Sync + 'static,
) -> (Arc<dyn Transport>, Arc<AtomicU32>) {
    let creates = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&creates);
    let server = behind_rule(embedded(), move |server, request| {
        let is_probe = request.body().windows(SENTINEL.len()).any(|window| window == SENTINEL);
        let creates_objects =
            request.method() == http::Method::POST && !request.uri().path().contains("apiextensions") && !is_probe;
        let is_meant = creates_objects && is_such(counted.fetch_add(1, Ordering::Relaxed));
        is_meant.then(|| how(server, request))
    });
    (server, creates)
}

/// It answers after this time.
fn slowly(server: &Arc<dyn Transport>, request: &HttpRequest, time: Duration) -> ResponseFuture<'static> {
    let (server, request) = (Arc::clone(server), request.clone());
    instead(async move {
        tokio::time::sleep(time).await;
        server.send(request).await
    })
}

/// As in a run, where requests have a limit of time.
fn with_limits(server: Arc<dyn Transport>) -> Arc<dyn Transport> {
    Arc::new(BackoffTransport::new(server, "somewhere", BackoffOptions::default()))
}

fn closed(place: RequestSummary, is_received: bool) -> ResponseFuture<'static> {
    let detail = "reset".to_owned();
    Box::pin(async move { Err(TransportError::Closed { place, detail, advice: "", is_received }) })
}

fn reset(place: RequestSummary) -> ResponseFuture<'static> {
    closed(place, false)
}

/// The server has the request.
fn ended(place: RequestSummary) -> ResponseFuture<'static> {
    closed(place, true)
}

fn late(place: RequestSummary) -> ResponseFuture<'static> {
    Box::pin(async { Err(TransportError::Timeout { place, after: Duration::from_secs(10) }) })
}

/// Nothing ever comes, and the transport waits for 30 s.
fn silent(place: RequestSummary) -> ResponseFuture<'static> {
    let after = Duration::from_secs(30);
    Box::pin(async move {
        tokio::time::sleep(after).await;
        Err(TransportError::Timeout { place, after })
    })
}

/// The machine stands still for a minute, and the server answers that its time is over.
fn stand_still(_: RequestSummary) -> ResponseFuture<'static> {
    Box::pin(async {
        tokio::time::advance(Duration::from_secs(60)).await;
        answered(500, r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too late","code":500}"#).await
    })
}

/// The field of the executor's own probes.
const SENTINEL: &[u8] = b"crdibleSentinel";

/// How a run ends, and how many creates there were.
async fn run_unsteadily(fails: fn(u32) -> bool) -> (Summary, Vec<CaseOutcome>, u32) {
    let (server, creates) = unsteady(fails, reset);
    let session = open(server).await;
    let (summary, outcomes) = run(&session, sound(), 100).await;
    (summary, outcomes, creates.load(Ordering::Relaxed))
}

#[tokio::test]
async fn a_single_error_is_retried() {
    // Two workers: neither meets two errors in a row.
    let (summary, outcomes, creates) = run_unsteadily(|number| number > 20 && number % 50 == 0).await;
    assert_eq!(summary.stop, Stop::Finished);
    assert!(creates > 100, "only {creates} creates: no error was met");
    assert_all_pass(&outcomes);
}

#[tokio::test]
async fn a_repeated_error_is_an_error_and_not_a_failure() {
    // A dry run that gets no answer is sent three times, in each of two attempts, by each of two workers.
    let (summary, outcomes, _) = run_unsteadily(|number| (100..130).contains(&number)).await;
    assert_eq!(summary.stop, Stop::Finished);
    let errors = outcomes.iter().filter(|outcome| matches!(outcome, CaseOutcome::Error(_))).count();
    assert!(errors > 0, "{outcomes:?}");
    assert!(!outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{outcomes:?}");
}

#[tokio::test]
async fn a_property_whose_cases_end_in_errors_is_stopped() {
    let (summary, outcomes, _) = run_unsteadily(|number| number > 100).await;
    assert_eq!(summary.stop, Stop::Finished);
    let errors = outcomes.iter().filter(|outcome| matches!(outcome, CaseOutcome::Error(_))).count();
    assert!((10..20).contains(&errors), "{errors}");
}

/// What a run reports.
struct LateRun {
    summary: Summary,
    outcomes: Vec<CaseOutcome>,
    findings: Vec<ConfirmedFinding>,
    notes: Vec<String>,
    /// Why properties were stopped.
    stopped: Vec<&'static str>,
}

impl LateRun {
    fn errors<'a>(&'a self) -> Vec<&'a String> {
        let error = |outcome: &'a CaseOutcome| if let CaseOutcome::Error(error) = outcome { Some(error) } else { None };
        self.outcomes.iter().filter_map(error).collect()
    }

    /// A check failed since its request got no answer, and nothing else is said. The workers go on until one has found
    /// it, in `most` cases.
    fn has_found(&self, seen: &str, attempts: u32, most: usize) {
        assert_eq!(self.summary.stop, Stop::Finished);
        let [found] = &self.findings[..] else { panic!("{:?}", self.findings) };
        assert_eq!((found.attempts, found.reproduced), (attempts, attempts));
        let failure = found.failure();
        let summary = format!("POST …/v1/things: {seen}");
        assert_eq!((failure.signature.reason.as_str(), &failure.summary), (NO_ANSWER, &summary));
        assert_eq!((&failure.expected, &failure.actual), (&json!("an answer"), &json!(seen)));
        assert_eq!(failure.requirements[0], "PRUNE-001");
        let last = found.records.first().and_then(|record| record.exchanges.last()).expect("its requests");
        assert_eq!((last.method.as_str(), last.status), ("POST", 0));
        assert_eq!(self.stopped, ["a request of it gets no answer"]);
        assert_eq!(self.errors(), Vec::<&String>::new());
        let fails = |outcome: &&CaseOutcome| matches!(outcome, CaseOutcome::Fail(_));
        assert!(self.outcomes.iter().any(|outcome| fails(&outcome)), "{:?}", self.outcomes);
        assert!(self.outcomes.iter().filter(fails).count() <= most, "{:?}", self.outcomes);
    }
}

/// A run of two workers on this server; it is interrupted after this number of scenarios.
async fn run_late(server: Arc<dyn Transport>, interrupted_after: usize) -> LateRun {
    run_on(&open(server).await, None, interrupted_after).await
}

/// The same in a session that is open, with the cases of this supply.
async fn run_on(session: &Session, supply: Option<Arc<dyn Supply>>, interrupted_after: usize) -> LateRun {
    let options = RunOptions { workers: 2, supply, ..RunOptions::new([sound()], 100) };
    let (sender, mut events) = mpsc::unbounded_channel();
    let (raise, interrupt) = Interrupt::new();
    let reading = async {
        let (mut outcomes, mut findings, mut notes, mut stopped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        while let Some(event) = events.recv().await {
            match event {
                Event::Case(report) => outcomes.push(report.outcome),
                Event::Found(finding) => findings.push(*finding),
                Event::Note(note) => notes.push(note),
                Event::Stopped { reason, .. } => stopped.push(reason),
                _ => {}
            }
            if outcomes.len() == interrupted_after {
                raise.send_replace(true);
            }
        }
        (outcomes, findings, notes, stopped)
    };
    let (summary, (outcomes, findings, notes, stopped)) =
        tokio::join!(session.run(options, sender, interrupt), reading);
    LateRun { summary, outcomes, findings, notes, stopped }
}

#[tokio::test]
async fn what_comes_too_late_beside_other_work_is_run_again_at_the_end() {
    let run = run_late(unsteady(|number| (100..102).contains(&number), late).0, usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    assert_all_pass(&run.outcomes);
    assert!(run.summary.cases[sound().id] >= 100, "{:?}", run.summary.cases);
    let [note] = &run.notes[..] else { panic!("{:?}", run.notes) };
    assert!(note.contains("run again at the end"), "{note}");
}

/// Each scenario in which that is so is run four times, and waits each time: at first as long as the pace of the server
/// suggests, then for all the time that a request has, at last when nothing else is running.
#[tokio::test(start_paused = true)]
async fn what_is_never_answered_while_others_are_is_a_failure() {
    let (server, creates) = unsteady(|number| number > 100, silent);
    run_late(with_limits(server), usize::MAX).await.has_found("no answer within 30 s", 4, 24);
    // Four of the scenario that shows it, and one of each that was begun until then.
    assert!(creates.load(Ordering::Relaxed) <= 101 + 24, "{creates:?}");
}

/// The number of the execution and that of the object, of which its name consists.
fn numbers_of(request: &HttpRequest) -> Option<(u32, u32)> {
    let object: Value = serde_json::from_slice(request.body()).ok()?;
    let (execution, number) = object["metadata"]["name"].as_str()?.strip_prefix('x')?.split_once('-')?;
    Some((execution.parse().ok()?, number.parse().ok()?))
}

/// In each execution of a scenario, another one of its creates gets no answer.
#[tokio::test]
async fn what_ends_the_connection_of_another_request_each_time_is_no_failure() {
    const CREATES: u32 = 3;
    let server = behind_rule(embedded(), |_, request| {
        let is_met = numbers_of(request).is_some_and(|(execution, number)| number == execution % CREATES);
        let place = || RequestSummary::new("somewhere", request.method(), request.uri());
        is_met.then(|| ended(place()))
    });
    let run = run_late(server, usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    assert!(run.findings.is_empty(), "{:?}", run.findings);
    assert!(!run.errors().is_empty(), "{:?}", run.outcomes);
}

/// Other requests are answered at once, so that these get little time at first.
#[tokio::test(start_paused = true)]
async fn what_is_steadily_slow_is_right() {
    let (server, creates) =
        otherwise(|number| number > 100, |server, request| slowly(server, request, Duration::from_secs(12)));
    let run = run_late(with_limits(server), usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    assert!(creates.load(Ordering::Relaxed) > 110, "{creates:?}");
    assert!(run.findings.is_empty(), "{:?}", run.findings);
    assert_all_pass(&run.outcomes);
    let [note] = &run.notes[..] else { panic!("{:?}", run.notes) };
    assert!(note.contains("run again at the end"), "{note}");
}

/// The server computes each of these for 20 s, one after the other, and answers everything else at once.
#[tokio::test(start_paused = true)]
async fn what_is_too_slow_only_beside_others_like_it_is_right() {
    let computes = Arc::new(Mutex::new(()));
    let (server, creates) = otherwise(
        |number| number > 100,
        move |server, request| {
            let (computes, answered) = (Arc::clone(&computes), slowly(server, request, Duration::from_secs(20)));
            instead(async move {
                let _computes = computes.lock().await;
                answered.await
            })
        },
    );
    let run = run_late(with_limits(server), usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    assert!(creates.load(Ordering::Relaxed) > 103, "{creates:?}");
    assert!(run.findings.is_empty(), "{:?}", run.findings);
    assert!(!run.outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{:?}", run.outcomes);
}

/// For 15 s each connection that has a create ends after a second.
#[tokio::test(start_paused = true)]
async fn an_outage_is_no_failure() {
    let begun = OnceLock::new();
    let is_out = move |number: u32| number > 100 && begun.get_or_init(Instant::now).elapsed() < Duration::from_secs(15);
    let (server, _) = otherwise(is_out, |_, request| {
        let place = RequestSummary::new("somewhere", request.method(), request.uri());
        instead(async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            ended(place).await
        })
    });
    let run = run_late(server, usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    assert!(run.findings.is_empty(), "{:?}", run.findings);
    assert!((1..10).contains(&run.errors().len()), "{:?}", run.outcomes);
    assert!(!run.outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{:?}", run.outcomes);
}

/// In a replay of a failure of another kind, an answer that is lost is an error.
#[tokio::test]
async fn a_lost_answer_is_a_failure_only_for_a_counterexample_of_one() {
    let session = open(unsteady(|number| number > 100, ended).0).await;
    let run = run_on(&session, None, usize::MAX).await;
    let [found] = &run.findings[..] else { panic!("{:?}", run.findings) };
    let mut counterexample = Counterexample::of(found, Release::BASELINE);
    let replayer = Replayer::of(&session);
    let standing = replayer.standing(&counterexample, 2).await.expect("the server can be used");
    assert!(matches!(standing, Standing::Fails(_)), "{standing:?}");
    counterexample.failure.signature.reason = "differs".to_owned();
    let standing = replayer.standing(&counterexample, 2).await;
    assert!(matches!(standing, Err(ExecutionError::NoAnswer(_))), "{standing:?}");
}

/// The cases of a seed; counts those that were planned and those that have run.
#[derive(Debug, Default)]
struct Counting {
    planned: AtomicU32,
    learned: AtomicU32,
}

impl Supply for Counting {
    fn plan(&self, source: ScenarioSource, index: u64) -> Result<Case, &'static str> {
        let case = Case::plan_at(Release::BASELINE, source, 1, index)?;
        self.planned.fetch_add(1, Ordering::Relaxed);
        Ok(case)
    }

    fn learn(&self, _: ScenarioSource, _: &Case, _: Option<&Transcript>) {
        self.learned.fetch_add(1, Ordering::Relaxed);
    }

    fn price(&self, _: ScenarioSource) -> u64 {
        1
    }

    fn is_exhausted(&self) -> bool {
        false
    }
}

#[rstest]
#[case::as_failures(unsteady(|number| number > 100, ended).0)]
#[case::as_errors(overloaded(slow))]
#[tokio::test(start_paused = true)]
async fn a_supply_learns_that_cases_got_no_answer(#[case] server: Arc<dyn Transport>) {
    let supply = Arc::new(Counting::default());
    let run = run_on(&open(server).await, Some(Arc::clone(&supply) as Arc<dyn Supply>), usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    assert!(!run.outcomes.iter().all(|outcome| matches!(outcome, CaseOutcome::Pass)), "{:?}", run.outcomes);
    let [planned, learned] = [&supply.planned, &supply.learned].map(|count| count.load(Ordering::Relaxed));
    assert!(planned > 0, "the supply was never asked");
    assert_eq!(learned, planned);
}

/// Many probes at once would always meet one of the errors.
#[tokio::test]
async fn a_server_that_fails_now_and_then_serves_definitions() {
    let creates = AtomicU32::new(0);
    let server = behind_rule(embedded(), move |_, request| {
        let is_create = request.method() == http::Method::POST && !request.uri().path().contains("apiextensions");
        let fails = is_create && creates.fetch_add(1, Ordering::Relaxed) % 10 == 9;
        fails.then(|| answered(500, BOOM))
    });
    let missing: Vec<_> = open(server).await.missing_capabilities().map(|(capability, _)| capability).collect();
    assert!(!missing.contains(&Capability::Serving), "{missing:?}");
}

/// An error of the server.
const BOOM: &str = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"boom","code":500}"#;

/// An error that any request may meet, whatever it asks.
#[tokio::test]
async fn errors_now_and_then_are_not_blamed_on_what_a_check_promises() {
    let (server, _) = otherwise(
        |number| number > 100 && (number.wrapping_mul(2_654_435_761) >> 16).is_multiple_of(16),
        |_, _| answered(500, BOOM),
    );
    let run = run_late(server, usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    assert!(!run.findings.is_empty(), "no failure was seen: {:?}", run.outcomes);
    let confirmed: Vec<_> = run.findings.iter().filter(|found| found.reproduced == found.attempts).collect();
    assert!(confirmed.is_empty(), "{confirmed:?}");
}

#[tokio::test]
async fn what_ends_the_connection_each_time_is_a_failure() {
    let run = run_late(unsteady(|number| number > 100, ended).0, usize::MAX).await;
    run.has_found("the connection ends without an answer", 6, 8);
    let [note] = &run.notes[..] else { panic!("{:?}", run.notes) };
    assert!(note.contains("POST /apis/GROUP/v1/"), "{note}");
}

#[tokio::test]
async fn connections_that_ended_without_an_answer_are_told() {
    // A dry run that gets no answer is sent again.
    let run = run_late(unsteady(|number| number % 50 == 49, ended).0, usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    assert!(run.outcomes.iter().all(|outcome| matches!(outcome, CaseOutcome::Pass)), "{:?}", run.outcomes);
    let [note] = &run.notes[..] else { panic!("{:?}", run.notes) };
    assert!(note.starts_with("the connection ended ") && note.contains("look for a crash"), "{note}");
}

/// How a server answers a request.
type How = fn(&Arc<dyn Transport>, &HttpRequest) -> ResponseFuture<'static>;

/// A server that does nothing else at once, either: after the first creates it answers a list of definitions like this.
fn overloaded(how: How) -> Arc<dyn Transport> {
    let (server, creates) = unsteady(|number| number > 100, late);
    behind_rule(server, move |server, request| {
        let is_meant = creates.load(Ordering::Relaxed) > 100 && request.uri().query() == Some("limit=1");
        is_meant.then(|| how(server, request))
    })
}

fn slow(server: &Arc<dyn Transport>, request: &HttpRequest) -> ResponseFuture<'static> {
    slowly(server, request, Duration::from_secs(3))
}

fn failing(_: &Arc<dyn Transport>, _: &HttpRequest) -> ResponseFuture<'static> {
    answered(500, "{}")
}

fn busy(_: &Arc<dyn Transport>, _: &HttpRequest) -> ResponseFuture<'static> {
    answered(429, "{}")
}

#[rstest]
#[case::slow(slow)]
#[case::failing(failing)]
#[case::busy(busy)]
#[tokio::test(start_paused = true)]
async fn what_is_late_again_on_an_overloaded_server_is_an_error(#[case] how: How) {
    let run = run_late(overloaded(how), usize::MAX).await;
    assert_eq!(run.summary.stop, Stop::Finished);
    // Some are run again, and the property is stopped after ten others.
    let errors = run.errors();
    assert!((10..25).contains(&errors.len()), "{:?}", run.outcomes);
    assert!(errors.iter().all(|error| error.contains("within 10s")), "{errors:?}");
    assert!(!run.outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{:?}", run.outcomes);
    assert_eq!(run.notes, Vec::<String>::new());
}

#[tokio::test]
async fn what_was_late_is_told_although_the_run_is_interrupted() {
    let run = run_late(unsteady(|number| (100..103).contains(&number), late).0, 20).await;
    assert_eq!(run.summary.stop, Stop::Interrupted);
    assert!(!run.errors().is_empty(), "{:?}", run.outcomes);
}

#[tokio::test(start_paused = true)]
async fn a_failure_while_the_machine_stands_still_is_tried_again() {
    let (unsteady, creates) = unsteady(|number| number == 200, stand_still);
    let session = open(with_limits(unsteady)).await;
    let (summary, outcomes) = run(&session, sound(), 400).await;
    assert_eq!(summary.stop, Stop::Finished);
    assert!(creates.load(Ordering::Relaxed) > 200);
    assert_all_pass(&outcomes);
}

/// It answers 500 requests, and then none.
#[tokio::test]
async fn a_target_that_stops_answering_is_lost() {
    let left = AtomicU32::new(500);
    let dying = behind_rule(embedded(), move |_, request| {
        let is_dead = !one_less(&left);
        is_dead.then(|| reset(RequestSummary::new("somewhere", request.method(), request.uri())))
    });
    let session = open(dying).await;
    let (summary, _) = run(&session, sound(), 1_000).await;
    assert!(matches!(&summary.stop, Stop::TargetLost(error) if error.contains("reset")), "{:?}", summary.stop);
}
