//! Sends recorded requests again: the same client, concurrency and dependencies, but nothing generated and nothing judged.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
    time::Instant,
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
    sent: Mutex<BTreeMap<Option<tokio::task::Id>, Vec<Request<Bytes>>>>,
}

impl Recorder {
    pub(crate) fn new(inner: Arc<dyn Transport>) -> Self {
        Self { inner, sent: Mutex::default() }
    }

    /// What was sent, one list for each task.
    pub(crate) fn take(&self) -> Vec<Vec<Request<Bytes>>> {
        std::mem::take(&mut *self.sent.lock().expect("no task panics")).into_values().collect()
    }
}

impl Transport for Recorder {
    fn send(&self, request: Request<Bytes>) -> Sending<'_> {
        let mut sent = self.sent.lock().expect("no task panics");
        sent.entry(tokio::task::try_id()).or_default().push(request.clone());
        drop(sent);
        self.inner.send(request)
    }
}

/// Sends the lists side by side, and returns requests per second. A `resourceVersion` in a body is replaced by the one that
/// the server last gave for the same name: that is all that one request needs to know of another's answer.
pub(crate) async fn replay(lists: Vec<Vec<Request<Bytes>>>, transport: Arc<dyn Transport>) -> f64 {
    let count: usize = lists.iter().map(Vec::len).sum();
    let versions: Arc<Mutex<HashMap<String, String>>> = Arc::default();
    let started = Instant::now();
    let tasks: Vec<_> = lists
        .into_iter()
        .map(|list| {
            let (transport, versions) = (Arc::clone(&transport), Arc::clone(&versions));
            tokio::spawn(async move {
                for request in list {
                    let answer = transport.send(updated(request, &versions)).await;
                    if let Ok(answer) = answer {
                        remember(answer.body(), &versions);
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task panics");
    }
    #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
    let count = count as f64;
    count / started.elapsed().as_secs_f64()
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
