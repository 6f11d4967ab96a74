//! Sends recorded requests again: the same client, concurrency and dependencies, but nothing generated and nothing judged.
//!
//! A request depends on the answer to the one before. Where the run asked again and again until a schema was served, so must
//! whoever sends the same requests: he repeats what is answered with another code than in the end.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use bytes::Bytes;
use crdible::target::{Sending, Transport};
use http::{Method, Request};
use serde_json::Value;

/// A transport that remembers what passes through it, by the task that sent it: within a task a request waits for the answer
/// to the one before, and tasks are the concurrency of the run.
#[derive(Debug)]
pub(crate) struct Recorder {
    inner: Arc<dyn Transport>,
    sent: Mutex<Sent>,
}

/// What each task sent.
type Sent = BTreeMap<Option<tokio::task::Id>, Vec<Recorded>>;

/// A request, and the code of the last answer if it was sent several times in a row.
#[derive(Debug)]
pub(crate) struct Recorded {
    request: Request<Bytes>,
    status: Option<u16>,
}

impl Recorded {
    fn repeats(&self, request: &Request<Bytes>) -> bool {
        self.request.method() == request.method()
            && self.request.uri() == request.uri()
            && self.request.body() == request.body()
    }
}

/// Between two tries, as in the run: from this, doubled each time, up to a hundred times as much.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// What never comes out as it was recorded is given up.
const TRIES: u32 = 100;

impl Recorder {
    pub(crate) fn new(inner: Arc<dyn Transport>) -> Self {
        Self { inner, sent: Mutex::default() }
    }

    /// What was sent, one list for each task.
    pub(crate) fn take(&self) -> Vec<Vec<Recorded>> {
        std::mem::take(&mut *self.sent.lock().expect("no task panics")).into_values().collect()
    }
}

impl Transport for Recorder {
    fn send(&self, request: Request<Bytes>) -> Sending<'_> {
        let task = tokio::task::try_id();
        {
            let mut sent = self.sent.lock().expect("no task panics");
            let list = sent.entry(task).or_default();
            if !list.last().is_some_and(|last| last.repeats(&request)) {
                list.push(Recorded { request: request.clone(), status: None });
            }
        }
        Box::pin(async move {
            let answer = self.inner.send(request).await;
            let mut sent = self.sent.lock().expect("no task panics");
            if let (Ok(answer), Some(last)) = (&answer, sent.entry(task).or_default().last_mut()) {
                last.status = Some(answer.status().as_u16());
            }
            answer
        })
    }
}

/// Sends the lists side by side, and returns requests per second. A `resourceVersion` in a body is replaced by the one that
/// the server last gave for the same name: that is all that one request needs to know of another's answer.
pub(crate) async fn replay(lists: Vec<Vec<Recorded>>, transport: Arc<dyn Transport>) -> f64 {
    let versions: Arc<Mutex<HashMap<String, String>>> = Arc::default();
    let started = Instant::now();
    let tasks: Vec<_> = lists
        .into_iter()
        .map(|list| {
            let (transport, versions) = (Arc::clone(&transport), Arc::clone(&versions));
            tokio::spawn(async move {
                let mut sent = 0;
                for recorded in list {
                    sent += send(&recorded, transport.as_ref(), &versions).await;
                }
                sent
            })
        })
        .collect();
    let mut count = 0;
    for task in tasks {
        count += task.await.expect("no task panics");
    }
    f64::from(count) / started.elapsed().as_secs_f64()
}

/// Sends a request until it is answered as it was recorded; returns how often it was sent.
async fn send(recorded: &Recorded, transport: &dyn Transport, versions: &Mutex<HashMap<String, String>>) -> u32 {
    let mut pause = FIRST_PAUSE;
    for tries in 1..=TRIES {
        let answer = transport.send(updated(recorded.request.clone(), versions)).await;
        let status = answer.as_ref().map(|answer| answer.status().as_u16()).ok();
        if let Ok(answer) = answer {
            remember(answer.body(), versions);
        }
        if recorded.status.is_none() || recorded.status == status {
            return tries;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
    TRIES
}

fn updated(mut request: Request<Bytes>, versions: &Mutex<HashMap<String, String>>) -> Request<Bytes> {
    if request.method() != Method::PUT {
        return request;
    }
    let Ok(mut body) = serde_json::from_slice::<Value>(request.body()) else { return request };
    let name = body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or("").to_owned();
    if let Some(version) = versions.lock().expect("no task panics").get(&name)
        && let Some(old) = body.pointer_mut("/metadata/resourceVersion")
    {
        *old = Value::from(version.clone());
        *request.body_mut() = Bytes::from(body.to_string());
    }
    request
}

fn remember(answer: &Bytes, versions: &Mutex<HashMap<String, String>>) {
    let Ok(body) = serde_json::from_slice::<Value>(answer) else { return };
    let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    if let (Some(name), Some(version)) = (text("/metadata/name"), text("/metadata/resourceVersion")) {
        versions.lock().expect("no task panics").insert(name, version);
    }
}
