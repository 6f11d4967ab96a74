//! Servers that do not answer, or ever more slowly.

use std::{
    sync::Arc,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use crdible::{
    connection::{HttpRequest, RequestSummary, ResponseFuture, Slowdown, Transport, TransportError},
    run::{CaseOutcome, Interrupt, RunOptions, Stop, Summary},
    webhook::Registry,
};
use tokio::sync::mpsc;

use super::{embedded, open, run, sound};

/// Fails every create whose number the rule selects, and passes on all others.
#[derive(Debug)]
struct Unsteady {
    inner: Arc<dyn Transport>,
    /// Creates so far, without the probes for the served schema.
    creates: AtomicU32,
    fails: fn(u32) -> bool,
}

/// The field of the executor's own probes.
const SENTINEL: &[u8] = b"crdibleSentinel";

impl Transport for Unsteady {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_probe = request.body().windows(SENTINEL.len()).any(|window| window == SENTINEL);
        let creates_objects =
            request.method() == http::Method::POST && !request.uri().path().contains("apiextensions") && !is_probe;
        if creates_objects && (self.fails)(self.creates.fetch_add(1, Ordering::Relaxed)) {
            let place = RequestSummary::new("somewhere", request.method(), request.uri());
            let detail = "reset".to_owned();
            return Box::pin(async { Err(TransportError::Closed { place, detail, advice: "" }) });
        }
        self.inner.send(request)
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

async fn run_unsteadily(fails: fn(u32) -> bool) -> (Summary, Vec<CaseOutcome>) {
    let unsteady = Unsteady { inner: embedded(), creates: AtomicU32::new(0), fails };
    let session = open(Arc::new(unsteady)).await;
    run(&session, sound(), 100).await
}

#[tokio::test]
async fn a_single_error_is_retried() {
    // Two workers: neither meets two errors in a row.
    let (summary, outcomes) = run_unsteadily(|number| number > 20 && number % 50 == 0).await;
    assert_eq!(summary.stop, Stop::Finished);
    assert!(outcomes.iter().all(|outcome| matches!(outcome, CaseOutcome::Pass)), "{outcomes:?}");
}

#[tokio::test]
async fn a_repeated_error_is_an_error_and_not_a_failure() {
    // A dry run that gets no answer is sent three times, in each of two attempts, by each of two workers.
    let (summary, outcomes) = run_unsteadily(|number| (100..130).contains(&number)).await;
    assert_eq!(summary.stop, Stop::Finished);
    let errors = outcomes.iter().filter(|outcome| matches!(outcome, CaseOutcome::Error(_))).count();
    assert!(errors > 0, "{outcomes:?}");
    assert!(!outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{outcomes:?}");
}

#[tokio::test]
async fn a_property_whose_cases_end_in_errors_is_stopped() {
    let (summary, outcomes) = run_unsteadily(|number| number > 100).await;
    assert_eq!(summary.stop, Stop::Finished);
    let errors = outcomes.iter().filter(|outcome| matches!(outcome, CaseOutcome::Error(_))).count();
    assert!((10..20).contains(&errors), "{errors}");
}

/// Answers this many requests, and then none.
#[derive(Debug)]
struct Dying {
    inner: Arc<dyn Transport>,
    left: AtomicU32,
}

impl Transport for Dying {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_alive = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        if is_alive {
            return self.inner.send(request);
        }
        let place = RequestSummary::new("somewhere", request.method(), request.uri());
        Box::pin(async { Err(TransportError::Closed { place, detail: "reset".to_owned(), advice: "" }) })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

#[tokio::test]
async fn a_target_that_stops_answering_is_lost() {
    let session = open(Arc::new(Dying { inner: embedded(), left: AtomicU32::new(500) })).await;
    let (summary, _) = run(&session, sound(), 1_000).await;
    assert!(matches!(&summary.stop, Stop::TargetLost(error) if error.contains("reset")), "{:?}", summary.stop);
}

/// Says that it has become slow after this many requests.
#[derive(Debug)]
struct Slowing {
    inner: Arc<dyn Transport>,
    left: AtomicU32,
}

impl Transport for Slowing {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        self.inner.send(request)
    }

    fn slowdown(&self) -> Option<Slowdown> {
        let is_slow = self.left.load(Ordering::Relaxed) == 0;
        is_slow.then_some(Slowdown { first: Duration::from_millis(4), recent: Duration::from_secs(2) })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

async fn run_slowing(time: Option<Duration>) -> Summary {
    let session = open(Arc::new(Slowing { inner: embedded(), left: AtomicU32::new(500) })).await;
    let options = RunOptions { workers: 2, time, ..RunOptions::new([sound()], 300) };
    let (sender, _events) = mpsc::unbounded_channel();
    session.run(options, sender, Interrupt::never()).await
}

#[tokio::test]
async fn a_target_that_becomes_slow_ends_the_run() {
    let summary = run_slowing(None).await;
    assert!(matches!(summary.stop, Stop::Slow(_)), "{:?}", summary.stop);
    assert!((1..300).contains(&summary.cases[sound().id]), "{:?}", summary.cases);
}

#[tokio::test]
async fn a_user_who_gives_time_has_it() {
    let summary = run_slowing(Some(Duration::from_secs(600))).await;
    assert_eq!(summary.stop, Stop::Finished);
    assert!(summary.cases[sound().id] >= 300, "{:?}", summary.cases);
}
