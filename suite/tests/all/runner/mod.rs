//! The runner on servers and properties that fail in unusual ways.

mod answers;
mod busy;
mod leftovers;
mod objects;
mod opening;
mod races;
mod scenarios;
mod slowing;
mod unfinished;
mod unreliable;
mod watches;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, ResponseFuture, Target, Transport, TransportError},
    execute::{Executor, ExecutorOptions},
    properties::{self, Property},
    run::{CaseOutcome, Event, Interrupt, RunOptions, Session, Stop, Summary, new_run_id},
    webhook::Registry,
};
use crdible_semantics::Semantics;
use http::{Request, Response};
use serde_json::Value;
use tokio::sync::mpsc;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

fn embedded() -> Arc<dyn Transport> {
    Target::embedded(Semantics::UPSTREAM).transport
}

/// A server and the rule in front of it, which treats some requests otherwise.
struct BehindRule<F> {
    server: Arc<dyn Transport>,
    rule: F,
}

impl<F> fmt::Debug for BehindRule<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BehindRule").finish_non_exhaustive()
    }
}

impl<F: Fn(&Arc<dyn Transport>, &mut HttpRequest) -> Option<ResponseFuture<'static>> + Send + Sync> Transport
    for BehindRule<F>
{
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        (self.rule)(&self.server, &mut request).unwrap_or_else(|| self.server.send(request))
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

/// A server in front of which this rule changes requests, or answers them itself: see [`instead`].
fn behind_rule(
    server: Arc<dyn Transport>,
    rule: impl Fn(&Arc<dyn Transport>, &mut HttpRequest) -> Option<ResponseFuture<'static>> + Send + Sync + 'static,
) -> Arc<dyn Transport> {
    Arc::new(BehindRule { server, rule })
}

/// The answer of a rule.
fn instead(
    answer: impl Future<Output = Result<Response<Bytes>, TransportError>> + Send + 'static,
) -> ResponseFuture<'static> {
    Box::pin(answer)
}

/// Whether something is left, of which there is one less from now on.
fn one_less(left: &AtomicU32) -> bool {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
}

/// An answer with this code and body.
fn answered(code: u16, body: impl Into<Bytes>) -> ResponseFuture<'static> {
    let answer = Response::builder().status(code).body(body.into());
    Box::pin(async { Ok(answer.expect("a code and a body make an answer")) })
}

async fn open(transport: Arc<dyn Transport>) -> Session {
    let options = ExecutorOptions { patience: Duration::from_secs(2), ..ExecutorOptions::of_run(new_run_id()) };
    Session::open(Executor::new(transport, options)).await.expect("the embedded server is usable")
}

/// As patient as a run: for servers that do everything in the end, however busy the machine is.
async fn open_patiently(transport: Arc<dyn Transport>) -> Session {
    let options = ExecutorOptions::of_run(new_run_id());
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

/// Panics unless there were cases, and all of them passed.
fn assert_all_pass(outcomes: &[CaseOutcome]) {
    let passes = |outcome: &CaseOutcome| matches!(outcome, CaseOutcome::Pass);
    assert!(!outcomes.is_empty() && outcomes.iter().all(passes), "{outcomes:?}");
}

/// The items of the list at this path.
async fn list(server: &dyn Transport, path: &str) -> Vec<Value> {
    let request = Request::get(path).body(Bytes::new()).expect("a valid request");
    let answer = server.send(request).await.expect("the embedded server answers");
    let list: Value = serde_json::from_slice(answer.body()).expect("JSON");
    list["items"].as_array().unwrap_or_else(|| panic!("no list at {path}: {list}")).clone()
}

fn sound() -> &'static Property {
    properties::find("prune-001-unknown-keys").expect("the worked example of CONTRIBUTING.md")
}

/// Panics at the first random case.
static BROKEN: Property = Property::new("prune-001-broken", |_, _| panic!("a defect of the property"))
    .title("a property with a defect")
    .asserts(&["PRUNE-001"]);

#[tokio::test]
async fn a_panic_ends_the_run_and_is_located() {
    let session = open(embedded()).await;
    let (summary, _) = run(&session, &BROKEN, 10).await;
    assert_eq!(summary.stop, Stop::Broken("prune-001-broken, scenario 0: a defect of the property".to_owned()));
}
