//! The runner on servers and properties that fail in unusual ways.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use crdible::{
    connection::{HttpRequest, RequestSummary, ResponseFuture, Slowdown, Target, Transport, TransportError},
    execute::{Executor, ExecutorOptions},
    expect::check_scenario,
    properties::{self, Capability, Property},
    run::{
        Case, CaseOutcome, Event, Examiner, Interrupt, Outcome, RunOptions, Session, Stop, Summary, Trial, new_run_id,
    },
    scenario::{Reads, Scenario},
    webhook::Registry,
};
use crdible_generators::choice::Choices;
use crdible_semantics::Upstream;
use futures_util::{StreamExt as _, stream};
use tokio::sync::mpsc;

fn embedded() -> Arc<dyn Transport> {
    Target::embedded(Arc::new(Upstream)).transport
}

async fn open(transport: Arc<dyn Transport>) -> Session {
    let options = ExecutorOptions { patience: Duration::from_secs(2), ..ExecutorOptions::of_run(new_run_id()) };
    Session::open(Executor::new(transport, options)).await.expect("the embedded server is usable")
}

async fn run(session: &Session, property: &'static Property, cases: u64) -> (Summary, Vec<CaseOutcome>) {
    let options = RunOptions { seed: 1, workers: 2, ..RunOptions::new([property], cases) };
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
async fn a_panic_ends_the_run_and_is_located() {
    let session = open(embedded()).await;
    let (summary, _) = run(&session, &BROKEN, 10).await;
    assert_eq!(summary.stop, Stop::Broken("prune-001-broken, scenario 0: a defect of the property".to_owned()));
}

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

/// Lists no definitions, and counts how often one is read.
#[derive(Debug)]
struct Listless {
    inner: Arc<dyn Transport>,
    lists: bool,
    reads: AtomicU32,
}

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

impl Transport for Listless {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let path = request.uri().path().to_owned();
        let is_read = request.method() == http::Method::GET;
        if is_read && path == DEFINITIONS && !self.lists {
            let answer = http::Response::new(bytes::Bytes::from_static(b"{\"kind\":\"List\",\"items\":[]}"));
            return Box::pin(async { Ok(answer) });
        }
        if is_read && path.starts_with(DEFINITIONS) && path != DEFINITIONS {
            self.reads.fetch_add(1, Ordering::Relaxed);
        }
        self.inner.send(request)
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

/// Whether clean-up removes all definitions, and how many it reads for that.
async fn reads_of_clean_up(lists: bool) -> u32 {
    let inner = embedded();
    let transport = Arc::new(Listless { inner: Arc::clone(&inner), lists, reads: AtomicU32::new(0) });
    let session = open(Arc::clone(&transport) as Arc<dyn Transport>).await;
    run(&session, sound(), 50).await;
    let before = transport.reads.load(Ordering::Relaxed);
    assert_eq!(session.close().await, Vec::<String>::new());
    let list = http::Request::get(DEFINITIONS).body(bytes::Bytes::new()).expect("a valid request");
    let left: serde_json::Value = serde_json::from_slice(inner.send(list).await.expect("a list").body()).expect("JSON");
    assert_eq!(left["items"].as_array().map_or(0, Vec::len), 0, "{left}");
    transport.reads.load(Ordering::Relaxed) - before
}

#[tokio::test]
async fn a_list_shows_what_is_left() {
    assert_eq!(reads_of_clean_up(true).await, 0);
}

#[tokio::test]
async fn where_the_list_lacks_definitions_each_is_looked_for() {
    assert!(reads_of_clean_up(false).await > 0);
}

/// Writes to a definition between its read and its first updates, as controllers do.
#[derive(Debug)]
struct Busy {
    inner: Arc<dyn Transport>,
    conflicts_left: AtomicU32,
}

impl Transport for Busy {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_update =
            request.method() == http::Method::PUT && request.uri().path().contains("/customresourcedefinitions/");
        let conflicts = is_update
            && self
                .conflicts_left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_ok();
        if !conflicts {
            return self.inner.send(request);
        }
        let annotation = format!("{{\"metadata\":{{\"annotations\":{{\"busy\":\"{}\"}}}}}}", new_run_id());
        let write = http::Request::builder()
            .method(http::Method::PATCH)
            .uri(request.uri().path())
            .header(http::header::CONTENT_TYPE, "application/merge-patch+json")
            .body(annotation.into())
            .expect("a request");
        Box::pin(async move {
            assert_eq!(self.inner.send(write).await?.status(), http::StatusCode::OK);
            self.inner.send(request).await
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

#[tokio::test]
async fn a_conflict_with_another_writer_is_no_missing_capability() {
    let busy = Arc::new(Busy { inner: embedded(), conflicts_left: AtomicU32::new(2) });
    let session = open(Arc::clone(&busy) as Arc<dyn Transport>).await;
    assert_eq!(session.lacks().map(|(capability, _)| capability).collect::<Vec<_>>(), []);
    assert_eq!(busy.conflicts_left.load(Ordering::Relaxed), 0);
}

/// Does something with each property on a correct server, with several at once since scenarios often wait.
async fn with_each_property<T, F>(work: impl Fn(Arc<Session>, &'static Property) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    let session = Arc::new(open(embedded()).await);
    let done = stream::iter(properties::all())
        .map(|property| tokio::spawn(work(Arc::clone(&session), property)))
        .buffer_unordered(12)
        .map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic())));
    done.collect().await
}

/// A counterexample is a part of a scenario: its checks must hold on a correct server, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_slice_contains_everything_that_its_check_depends_on() {
    const CASES: u64 = 8;
    let check_slices = |session: Arc<Session>, property: &'static Property| async move {
        let mut smaller = 0;
        let scenarios = (0..CASES).filter_map(|index| Case::plan(property, 5, index).ok()).map(|case| case.scenario);
        for scenario in scenarios {
            for check in 0..scenario.checks.len().min(12) {
                for reads in [Reads::Dropped, Reads::Kept] {
                    let slice = scenario.slice(check, reads);
                    check_scenario(&slice).unwrap_or_else(|problem| panic!("{}: {problem}", property.id));
                    assert_eq!(slice.checks.len(), 1);
                    smaller += u32::from(slice.steps.len() < scenario.steps.len());
                    let outcome = session.subject().attempt(Trial::new(property.id, &slice)).await.outcome;
                    assert!(matches!(outcome, Outcome::Pass), "{}: {outcome:?} of {slice:#?}", property.id);
                }
            }
        }
        smaller
    };
    let smaller: u32 = with_each_property(check_slices).await.into_iter().sum();
    assert!(smaller > 1_000, "only {smaller} slices are smaller than their scenario");
}

/// An inconclusive scenario wastes time, whether the generator discarded it or an assumption about a correct server did
/// not hold.
#[tokio::test(flavor = "multi_thread")]
async fn fewer_than_one_case_in_twenty_of_each_property_is_discarded() {
    /// Random scenarios of each property, without its hand-made ones: enough to detect a property that discards one in
    /// ten.
    const SCENARIOS: u64 = 100;
    let reason = async |session: &Session, property: &'static Property, index: u64| match Case::plan(property, 2, index)
    {
        Err(reason) => Some(reason.to_owned()),
        Ok(case) => match session.subject().attempt(Trial::new(property.id, &case.scenario)).await.outcome {
            Outcome::Pass => None,
            Outcome::Discard(reason) => Some(reason),
            outcome => panic!("{} {index}: {outcome:?}", property.id),
        },
    };
    let count_discarded = |session: Arc<Session>, property: &'static Property| async move {
        let first = property.edges.len() as u64;
        // Watches take seconds, during which nothing happens.
        let reasons = stream::iter(first..first + SCENARIOS).map(|index| reason(&session, property, index));
        let reasons: Vec<Option<String>> = reasons.buffer_unordered(12).collect().await;
        (property.id, reasons.into_iter().flatten().collect::<Vec<_>>())
    };
    let mut discarded = with_each_property(count_discarded).await;
    discarded.retain(|(_, reasons)| reasons.len() as u64 * 20 >= SCENARIOS);
    assert!(discarded.is_empty(), "discarded of {SCENARIOS}: {discarded:?}");
}

/// Creates definitions even on a dry run.
#[derive(Debug)]
struct IgnoresDryRun(Arc<dyn Transport>);

impl Transport for IgnoresDryRun {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        let path = request.uri().path();
        if *request.method() == http::Method::POST && path.ends_with("/customresourcedefinitions") {
            let path = path.parse().expect("a path is a URI");
            *request.uri_mut() = path;
        }
        self.0.send(request)
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.0.webhooks()
    }
}

#[tokio::test]
async fn what_a_dry_run_created_is_removed() {
    let server = embedded();
    let session = open(Arc::new(IgnoresDryRun(Arc::clone(&server)))).await;
    assert!(session.lacks().any(|(capability, _)| capability == Capability::DefinitionDryRun));
    // Real requests replace the dry runs.
    let property = properties::find("struct-002-node-types").expect("a property on dry runs");
    assert_eq!(session.missing(property), None);
    let (summary, outcomes) = run(&session, property, 20).await;
    assert!(summary.cases[property.id] > 0, "{summary:?}");
    assert!(
        outcomes.iter().all(|outcome| matches!(outcome, CaseOutcome::Pass | CaseOutcome::Discard(_))),
        "{outcomes:?}"
    );
    assert_eq!(session.close().await, Vec::<String>::new());
    let list = HttpRequest::new(bytes::Bytes::new());
    let (mut head, body) = list.into_parts();
    head.uri = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions".parse().expect("a path is a URI");
    let answer = server.send(HttpRequest::from_parts(head, body)).await.expect("the embedded server answers");
    let list: serde_json::Value = serde_json::from_slice(answer.body()).expect("a list");
    assert_eq!(list["items"], serde_json::json!([]));
}

/// Forbids deleting whole collections of objects, with the message of upstream's authorizer.
#[derive(Debug)]
struct Restrictive(Arc<dyn Transport>);

impl Transport for Restrictive {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if *request.method() != http::Method::DELETE || !request.uri().path().ends_with("/things") {
            return self.0.send(request);
        }
        let message = r#"things.g.example is forbidden: User "eve" cannot deletecollection resource "things""#;
        let status = serde_json::json!({ "kind": "Status", "code": 403, "reason": "Forbidden", "message": message });
        let answer = http::Response::builder().status(403).body(status.to_string().into());
        Box::pin(async { Ok(answer.expect("a code and a body make an answer")) })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.0.webhooks()
    }
}

/// It must not fail REST-068: the suite does not judge permissions.
#[tokio::test]
async fn a_missing_permission_is_not_a_failure() {
    let session = open(Arc::new(Restrictive(embedded()))).await;
    let deletes_collections = properties::find("ver-009-unserved").expect("a property that deletes whole collections");
    let (_, outcomes) = run(&session, deletes_collections, 20).await;
    assert!(!outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{outcomes:?}");
    let forbidden = |outcome: &CaseOutcome| matches!(outcome, CaseOutcome::Error(message) if message.contains("cannot deletecollection"));
    assert!(outcomes.iter().any(forbidden), "{outcomes:?}");
}

/// A server that answers differently from some point on.
#[derive(Debug)]
struct Turning {
    inner: Arc<dyn Transport>,
    has_turned: AtomicBool,
    /// Code and body of the answer from then on; `None` for requests that are still answered as before.
    answer: fn(&HttpRequest) -> Option<(u16, serde_json::Value)>,
}

impl Transport for Turning {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let answer = if self.has_turned.load(Ordering::Relaxed) { (self.answer)(&request) } else { None };
        let Some((code, body)) = answer else { return self.inner.send(request) };
        let answer = http::Response::builder().status(code).body(body.to_string().into());
        Box::pin(async { Ok(answer.expect("a code and a body make an answer")) })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

/// Runs cases of a property on a server that turns before the first.
async fn run_turned(
    answer: fn(&HttpRequest) -> Option<(u16, serde_json::Value)>,
    property: &str,
) -> (Summary, Vec<CaseOutcome>) {
    let turning = Arc::new(Turning { inner: embedded(), has_turned: AtomicBool::new(false), answer });
    let session = open(Arc::clone(&turning) as Arc<dyn Transport>).await;
    turning.has_turned.store(true, Ordering::Relaxed);
    run(&session, properties::find(property).expect("a property"), 5).await
}

/// A scenario without a definition gets the 401 as the answer to a step.
#[tokio::test]
async fn an_expired_token_is_not_a_failure() {
    let rejects_credentials = |_: &HttpRequest| {
        let body =
            serde_json::json!({ "kind": "Status", "code": 401, "reason": "Unauthorized", "message": "Unauthorized" });
        Some((401, body))
    };
    let (_, outcomes) = run_turned(rejects_credentials, "crdval-001-object-name").await;
    let is_unauthorized =
        |outcome: &CaseOutcome| matches!(outcome, CaseOutcome::Error(message) if message.contains("401"));
    assert!(!outcomes.is_empty() && outcomes.iter().all(is_unauthorized), "{outcomes:?}");
}

/// The failure is that of LIFE-002; the property itself is not judged.
#[tokio::test]
async fn nothing_is_judged_if_no_definition_is_accepted() {
    let takes_no_definitions = |request: &HttpRequest| {
        let is_write = [http::Method::POST, http::Method::PUT].contains(request.method());
        let body = serde_json::json!({ "kind": "Status", "code": 422, "reason": "Invalid", "message": "full" });
        (is_write && request.uri().path().contains("customresourcedefinitions")).then_some((422, body))
    };
    let (summary, outcomes) = run_turned(takes_no_definitions, "prune-001-unknown-keys").await;
    assert!(outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{outcomes:?}");
    assert_eq!(summary.cases["prune-001-unknown-keys"], 0);
}
