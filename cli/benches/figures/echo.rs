//! Sends recorded requests again: the same client, concurrency and dependencies, but without generating or judging.
//!
//! As in the run, a request waits for the answers to two others: the previous one of its task (tasks are the
//! concurrency of a run), and the previous one about the same definition. If the run polled until a schema was served,
//! so does the replay: a repeated request counts once, and is sent until it is answered with the code that ended the
//! repetition.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use crdible::connection::{ResponseFuture, Transport};
use http::{Method, Request};
use serde_json::Value;
use tokio::{sync::Notify, task};

/// A transport that records its requests.
#[derive(Debug)]
pub(crate) struct Recorder {
    inner: Arc<dyn Transport>,
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    sent: Vec<Recorded>,
    /// The position of the last request of each chain.
    last: HashMap<String, usize>,
}

/// A request, and the code of its last answer if it was sent several times in a row.
#[derive(Debug)]
pub(crate) struct Recorded {
    request: Request<Bytes>,
    task: Option<task::Id>,
    chain: String,
    /// The position of the previous request about the same definition.
    after: Option<usize>,
    status: Option<u16>,
}

impl Recorder {
    pub(crate) fn new(inner: Arc<dyn Transport>) -> Self {
        Self { inner, log: Mutex::default() }
    }

    /// The requests since the last call, in the order of sending.
    pub(crate) fn take(&self) -> Vec<Recorded> {
        std::mem::take(&mut *self.log.lock().expect("no task panics")).sent
    }
}

impl Log {
    /// Records a request; returns its position.
    fn note(&mut self, request: &Request<Bytes>) -> usize {
        let chain = chain_of(request);
        let after = self.last.get(&chain).copied().filter(|_| !chain.is_empty());
        if let Some(last) = after
            && are_same(&self.sent[last].request, request)
        {
            return last;
        }
        let task = task::try_id();
        self.sent.push(Recorded { request: request.clone(), task, chain: chain.clone(), after, status: None });
        self.last.insert(chain, self.sent.len() - 1);
        self.sent.len() - 1
    }
}

fn are_same(one: &Request<Bytes>, other: &Request<Bytes>) -> bool {
    one.method() == other.method() && one.uri() == other.uri() && one.body() == other.body()
}

/// The group of the definition that a request is about; empty if there is none.
fn chain_of(request: &Request<Bytes>) -> String {
    let group_of = |name: &str| name.split_once('.').map_or(String::new(), |(_, group)| group.to_owned());
    let mut parts = request.uri().path().trim_start_matches('/').split('/');
    match (parts.next(), parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some("apis"), Some("apiextensions.k8s.io"), _, _, Some(name)) => group_of(name),
        (Some("apis"), Some("apiextensions.k8s.io"), _, _, None) if *request.method() == Method::POST => {
            let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            group_of(body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or(""))
        }
        (Some("apis"), Some(group), ..) if group != "apiextensions.k8s.io" => group.to_owned(),
        _ => String::new(),
    }
}

impl Transport for Recorder {
    fn send(&self, request: Request<Bytes>) -> ResponseFuture<'_> {
        let place = self.log.lock().expect("no task panics").note(&request);
        Box::pin(async move {
            let answer = self.inner.send(request).await;
            // The list may have been taken since.
            if let (Ok(answer), Some(sent)) = (&answer, self.log.lock().expect("no task panics").sent.get_mut(place)) {
                sent.status = Some(answer.status().as_u16());
            }
            answer
        })
    }
}

/// The result of sending requests again.
pub(crate) struct Replayed {
    pub(crate) elapsed: Duration,
    /// The requests that were never answered with the recorded code: if there are many, the figure means little.
    pub(crate) otherwise: u64,
}

/// Sends the requests of all tasks concurrently.
pub(crate) async fn replay(requests: Vec<Recorded>, transport: Arc<dyn Transport>) -> Replayed {
    let line = Arc::new(Line {
        done: requests.iter().map(|_| AtomicBool::new(false)).collect(),
        changed: Notify::new(),
        identities: Mutex::default(),
        otherwise: AtomicU64::new(0),
    });
    let mut tasks: BTreeMap<Option<task::Id>, Vec<(usize, Recorded)>> = BTreeMap::new();
    for (number, recorded) in requests.into_iter().enumerate() {
        tasks.entry(recorded.task).or_default().push((number, recorded));
    }
    let started = Instant::now();
    let senders: Vec<_> = tasks
        .into_values()
        .map(|list| {
            let (line, transport) = (Arc::clone(&line), Arc::clone(&transport));
            tokio::spawn(async move { line.send_all(list, transport.as_ref()).await })
        })
        .collect();
    for sender in senders {
        sender.await.expect("no task panics");
    }
    Replayed { elapsed: started.elapsed(), otherwise: line.otherwise.load(Ordering::Relaxed) }
}

/// What the tasks share.
struct Line {
    /// Which requests were answered.
    done: Vec<AtomicBool>,
    changed: Notify,
    /// What the server returned last, by chain and name: all that a request needs from another's answer.
    identities: Mutex<HashMap<(String, String), Identity>>,
    /// How many requests were never answered as recorded.
    otherwise: AtomicU64,
}

struct Identity {
    revision: String,
    uid: String,
}

/// The pause between two tries, as in the run: starts with this, and doubles each time up to a hundred times as much.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// After this time a request that is not answered as recorded is skipped.
const TRIES: u32 = 20;

impl Line {
    async fn send_all(&self, list: Vec<(usize, Recorded)>, transport: &dyn Transport) {
        for (number, recorded) in list {
            if let Some(before) = recorded.after {
                self.wait_for(before).await;
            }
            if !self.send(&recorded, transport).await {
                self.otherwise.fetch_add(1, Ordering::Relaxed);
            }
            self.done[number].store(true, Ordering::Release);
            self.changed.notify_waiters();
        }
    }

    async fn wait_for(&self, number: usize) {
        loop {
            let changed = self.changed.notified();
            if self.done[number].load(Ordering::Acquire) {
                return;
            }
            changed.await;
        }
    }

    /// Sends a request until it is answered as recorded; returns whether it was.
    async fn send(&self, recorded: &Recorded, transport: &dyn Transport) -> bool {
        let mut pause = FIRST_PAUSE;
        for _ in 0..TRIES {
            let answer = transport.send(self.updated(recorded)).await;
            let status = answer.as_ref().map(|answer| answer.status().as_u16()).ok();
            if let Ok(answer) = answer {
                self.remember(&recorded.chain, answer.body());
            }
            if recorded.status.is_none() || recorded.status == status {
                return true;
            }
            // The server's own controllers wrote to it: read it again before the next try, as the run does.
            if status == Some(409) && recorded.request.method() == Method::PUT {
                let mut look = Request::new(Bytes::new());
                *look.uri_mut() = recorded.request.uri().path().parse().expect("a path");
                if let Ok(answer) = transport.send(look).await {
                    self.remember(&recorded.chain, answer.body());
                }
                continue;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        false
    }

    /// The body with the last `resourceVersion` and `uid` from the server.
    fn updated(&self, recorded: &Recorded) -> Request<Bytes> {
        let mut request = recorded.request.clone();
        if request.method() != Method::PUT {
            return request;
        }
        let Ok(mut body) = serde_json::from_slice::<Value>(request.body()) else { return request };
        let name = body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or("").to_owned();
        let identities = self.identities.lock().expect("no task panics");
        if let Some(Identity { revision, uid }) = identities.get(&(recorded.chain.clone(), name)) {
            for (pointer, now) in [("/metadata/resourceVersion", revision), ("/metadata/uid", uid)] {
                if let Some(then) = body.pointer_mut(pointer) {
                    *then = Value::from(now.clone());
                }
            }
            *request.body_mut() = Bytes::from(body.to_string());
        }
        request
    }

    fn remember(&self, chain: &str, answer: &Bytes) {
        let Ok(body) = serde_json::from_slice::<Value>(answer) else { return };
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        if let (Some(name), Some(revision), Some(uid)) =
            (text("/metadata/name"), text("/metadata/resourceVersion"), text("/metadata/uid"))
        {
            let mut identities = self.identities.lock().expect("no task panics");
            identities.insert((chain.to_owned(), name), Identity { revision, uid });
        }
    }
}
