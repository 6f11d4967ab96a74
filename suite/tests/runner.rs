//! The runner on servers and properties that go wrong in ways of their own.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use crdible::{
    execute::{ExecutorOptions, Freshness},
    properties::{self, Property},
    run::{
        Case, CaseOutcome, Event, ExamineOptions, Interrupt, Outcome, RunOptions, Session, Stop, Summary, attempt,
        new_run_id,
    },
    scenario::{Reads, Scenario},
    target::{Exchange, Place, Sending, Target, Transport, TransportError},
};
use crdible_generators::choice::Choices;
use crdible_semantics::Upstream;
use tokio::sync::mpsc;

fn embedded() -> Arc<dyn Transport> {
    Target::embedded(Arc::new(Upstream)).transport
}

async fn open(transport: Arc<dyn Transport>) -> Session {
    let options = ExecutorOptions {
        run: new_run_id(),
        namespace: "default".to_owned(),
        definitions: 16,
        patience: Duration::from_millis(300),
    };
    Session::open(transport, options).await.expect("the embedded server is usable")
}

async fn run(session: &Session, property: &'static Property, cases: u64) -> (Summary, Vec<CaseOutcome>) {
    let options = RunOptions {
        properties: vec![property],
        seed: 1,
        cases,
        time: None,
        workers: 2,
        examine: ExamineOptions::default(),
        finished: BTreeSet::new(),
    };
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = session.run(options, sender, Interrupt::never()).await;
    let mut outcomes = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let Event::Case(report) = event {
            outcomes.push(report.outcome);
        }
    }
    (summary, outcomes)
}

fn sound() -> &'static Property {
    properties::find("prune-001-unknown-keys").expect("the worked example of CONTRIBUTING.md")
}

/// Panics at the first random case.
static BROKEN: Property = Property {
    id: "prune-001-broken",
    title: "a property with a defect",
    asserts: &["PRUNE-001"],
    needs: &[],
    edges: &[],
    plan: |_: &mut Choices| -> Scenario { panic!("a defect of the property") },
};

#[tokio::test]
async fn a_panic_ends_the_run_and_says_where() {
    let session = open(embedded()).await;
    let (summary, _) = run(&session, &BROKEN, 10).await;
    assert_eq!(summary.stop, Stop::Broken("prune-001-broken, scenario 0: a defect of the property".to_owned()));
}

/// Fails each create of an object whose number the rule names, and passes on all others.
#[derive(Debug)]
struct Unsteady {
    inner: Arc<dyn Transport>,
    /// Creates so far, without those that ask which schema is served.
    creates: AtomicU32,
    fails: fn(u32) -> bool,
}

/// What the executor's own probes hold.
const SENTINEL: &[u8] = b"crdibleSentinel";

impl Transport for Unsteady {
    fn send(&self, request: Exchange) -> Sending<'_> {
        let is_probe = request.body().windows(SENTINEL.len()).any(|window| window == SENTINEL);
        let creates_objects =
            request.method() == http::Method::POST && !request.uri().path().contains("apiextensions") && !is_probe;
        if creates_objects && (self.fails)(self.creates.fetch_add(1, Ordering::Relaxed)) {
            let place = Place::new("somewhere", request.method(), request.uri());
            let detail = "reset".to_owned();
            return Box::pin(async { Err(TransportError::Closed { place, detail, advice: "" }) });
        }
        self.inner.send(request)
    }
}

async fn run_unsteadily(fails: fn(u32) -> bool) -> (Summary, Vec<CaseOutcome>) {
    let unsteady = Unsteady { inner: embedded(), creates: AtomicU32::new(0), fails };
    let session = open(Arc::new(unsteady)).await;
    run(&session, sound(), 100).await
}

#[tokio::test]
async fn what_goes_wrong_once_is_tried_again() {
    // Two workers: neither meets two errors in a row.
    let (summary, outcomes) = run_unsteadily(|number| number > 20 && number % 50 == 0).await;
    assert_eq!(summary.stop, Stop::Finished);
    assert!(outcomes.iter().all(|outcome| matches!(outcome, CaseOutcome::Pass)), "{outcomes:?}");
}

#[tokio::test]
async fn what_goes_wrong_twice_is_an_error_and_no_failure() {
    let (summary, outcomes) = run_unsteadily(|number| (100..106).contains(&number)).await;
    assert_eq!(summary.stop, Stop::Finished);
    let errors = outcomes.iter().filter(|outcome| matches!(outcome, CaseOutcome::Error(_))).count();
    assert!(errors > 0, "{outcomes:?}");
    assert!(!outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{outcomes:?}");
}

#[tokio::test]
async fn a_property_whose_cases_end_in_errors_is_given_up() {
    let (summary, outcomes) = run_unsteadily(|number| number > 100).await;
    assert_eq!(summary.stop, Stop::Finished);
    let errors = outcomes.iter().filter(|outcome| matches!(outcome, CaseOutcome::Error(_))).count();
    assert!((10..20).contains(&errors), "{errors}");
}

/// Answers so many requests, and then none.
#[derive(Debug)]
struct Dying {
    inner: Arc<dyn Transport>,
    left: AtomicU32,
}

impl Transport for Dying {
    fn send(&self, request: Exchange) -> Sending<'_> {
        let is_alive = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        if is_alive {
            return self.inner.send(request);
        }
        let place = Place::new("somewhere", request.method(), request.uri());
        Box::pin(async { Err(TransportError::Closed { place, detail: "reset".to_owned(), advice: "" }) })
    }
}

#[tokio::test]
async fn a_target_that_answers_no_more_is_lost() {
    let session = open(Arc::new(Dying { inner: embedded(), left: AtomicU32::new(500) })).await;
    let (summary, _) = run(&session, sound(), 1_000).await;
    assert!(matches!(&summary.stop, Stop::TargetLost(error) if error.contains("reset")), "{:?}", summary.stop);
}

/// A counterexample is a part of a scenario: what it demands must hold on a right server, too.
#[tokio::test]
async fn whatever_a_check_stands_on_is_in_its_slice() {
    const CASES: u64 = 8;
    let session = open(embedded()).await;
    let mut smaller = 0;
    for property in properties::all() {
        let scenarios = (0..CASES).filter_map(|index| Case::plan(property, 5, index).ok()).map(|case| case.scenario);
        for scenario in scenarios {
            for check in 0..scenario.checks.len().min(12) {
                for reads in [Reads::Dropped, Reads::Kept] {
                    let slice = scenario.slice(check, reads);
                    slice.verify().unwrap_or_else(|problem| panic!("{}: {problem}", property.id));
                    assert_eq!(slice.checks.len(), 1);
                    smaller += u32::from(slice.steps.len() < scenario.steps.len());
                    let outcome = attempt(session.executor(), &slice, Freshness::Pooled, false).await.outcome;
                    assert!(matches!(outcome, Outcome::Pass), "{}: {outcome:?} of {slice:#?}", property.id);
                }
            }
        }
    }
    assert!(smaller > 1_000, "only {smaller} slices leave something out");
}

/// A scenario that says nothing is time lost, whether the generator gave it up or an assumption about a right server did not hold.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fewer_than_one_case_in_twenty_of_each_property_is_discarded() {
    const CASES: u64 = 300;
    let session = open(embedded()).await;
    let options = RunOptions {
        properties: properties::all().collect(),
        seed: 2,
        cases: CASES,
        time: None,
        workers: 2,
        examine: ExamineOptions::default(),
        finished: BTreeSet::new(),
    };
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = session.run(options, sender, Interrupt::never()).await;
    assert_eq!(summary.stop, Stop::Finished);
    // How many scenarios of each property were planned, and how many of them say nothing; why the last one does not.
    let mut counts: BTreeMap<&str, (u32, u32, String)> = BTreeMap::new();
    while let Ok(event) = events.try_recv() {
        let Event::Case(report) = event else { continue };
        let (planned, discarded, why) = counts.entry(report.property.id).or_default();
        *planned += 1;
        if let CaseOutcome::Discard(reason) = report.outcome {
            *discarded += 1;
            *why = reason;
        }
    }
    assert_eq!(counts.len(), properties::all().count());
    let too_many: Vec<_> = counts.iter().filter(|(_, (planned, discarded, _))| discarded * 20 > *planned).collect();
    assert!(too_many.is_empty(), "discarded of planned: {too_many:?}");
}
