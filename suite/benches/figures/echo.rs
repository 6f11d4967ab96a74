//! Sends recorded requests again: the same client, concurrency and dependencies, but nothing generated and nothing judged.
//!
//! What depends on what is told by the group of a definition: of all requests about one of them each waits for the answer to
//! the one before, as scenarios do, and a definition is used by one scenario at a time. Where the run asked again and again
//! until a schema was served, so must whoever sends the same requests: a request that was repeated counts once, and is sent
//! until it is answered with the code that ended the repetition.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use bytes::Bytes;
use crdible::target::{Sending, Transport};
use http::{Method, Request};
use serde_json::Value;
use tokio::sync::Notify;

/// A transport that remembers what passes through it.
#[derive(Debug)]
pub(crate) struct Recorder {
    inner: Arc<dyn Transport>,
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    sent: Vec<Recorded>,
    /// Where the last request of each chain stands.
    last: HashMap<String, usize>,
}

/// A request, and the code of its last answer if it was sent several times in a row.
#[derive(Debug)]
pub(crate) struct Recorded {
    request: Request<Bytes>,
    chain: String,
    status: Option<u16>,
}

impl Recorder {
    pub(crate) fn new(inner: Arc<dyn Transport>) -> Self {
        Self { inner, log: Mutex::default() }
    }

    /// What was sent since this was asked last, in the order of sending.
    pub(crate) fn take(&self) -> Vec<Recorded> {
        std::mem::take(&mut *self.log.lock().expect("no task panics")).sent
    }
}

impl Log {
    /// Notes a request; returns where it stands.
    fn note(&mut self, request: &Request<Bytes>) -> usize {
        let chain = chain_of(request);
        if let Some(&last) = self.last.get(&chain)
            && are_same(&self.sent[last].request, request)
        {
            return last;
        }
        self.sent.push(Recorded { request: request.clone(), chain: chain.clone(), status: None });
        self.last.insert(chain, self.sent.len() - 1);
        self.sent.len() - 1
    }
}

fn are_same(one: &Request<Bytes>, other: &Request<Bytes>) -> bool {
    one.method() == other.method() && one.uri() == other.uri() && one.body() == other.body()
}

/// The group of the definition that a request is about; empty for all that are about none.
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
    fn send(&self, request: Request<Bytes>) -> Sending<'_> {
        let place = self.log.lock().expect("no task panics").note(&request);
        Box::pin(async move {
            let answer = self.inner.send(request).await;
            // Between two parts the list is taken away.
            if let (Ok(answer), Some(sent)) = (&answer, self.log.lock().expect("no task panics").sent.get_mut(place)) {
                sent.status = Some(answer.status().as_u16());
            }
            answer
        })
    }
}

/// Sends the requests with so many in flight, each chain in its order, the oldest first. Returns how long it took.
pub(crate) async fn replay(requests: Vec<Recorded>, transport: Arc<dyn Transport>, in_flight: usize) -> Duration {
    let line = Arc::new(Line::new(requests));
    let started = Instant::now();
    let senders: Vec<_> = (0..in_flight)
        .map(|_| {
            let (line, transport) = (Arc::clone(&line), Arc::clone(&transport));
            tokio::spawn(async move { line.send_all(transport.as_ref()).await })
        })
        .collect();
    for sender in senders {
        sender.await.expect("no task panics");
    }
    started.elapsed()
}

/// Requests that wait to be sent.
struct Line {
    waiting: Mutex<Waiting>,
    changed: Notify,
    /// What the server last gave for each name: all that one request needs to know of another's answer.
    revisions: Mutex<HashMap<String, String>>,
}

struct Waiting {
    chains: Vec<VecDeque<(usize, Recorded)>>,
    /// Chains of which no request is in flight: the number of their next request, and which.
    ready: BinaryHeap<Reverse<(usize, usize)>>,
    in_flight: usize,
}

/// Between two tries, as in the run: from this, doubled each time, up to a hundred times as much.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// What never comes out as it was recorded is given up.
const TRIES: u32 = 20;

impl Line {
    fn new(requests: Vec<Recorded>) -> Self {
        let mut chains: Vec<VecDeque<(usize, Recorded)>> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (number, recorded) in requests.into_iter().enumerate() {
            let place = *places.entry(recorded.chain.clone()).or_insert_with(|| {
                chains.push(VecDeque::new());
                chains.len() - 1
            });
            chains[place].push_back((number, recorded));
        }
        let ready = chains.iter().enumerate().map(|(place, chain)| Reverse((chain[0].0, place))).collect();
        Self {
            waiting: Mutex::new(Waiting { chains, ready, in_flight: 0 }),
            changed: Notify::new(),
            revisions: Mutex::default(),
        }
    }

    async fn send_all(&self, transport: &dyn Transport) {
        loop {
            let changed = self.changed.notified();
            let next = {
                let mut waiting = self.waiting.lock().expect("no task panics");
                match waiting.ready.pop() {
                    Some(Reverse((_, place))) => {
                        waiting.in_flight += 1;
                        waiting.chains[place].pop_front().map(|(_, recorded)| (place, recorded))
                    }
                    None if waiting.in_flight == 0 => return,
                    None => None,
                }
            };
            let Some((place, recorded)) = next else {
                changed.await;
                continue;
            };
            self.send(&recorded, transport).await;
            {
                let mut waiting = self.waiting.lock().expect("no task panics");
                waiting.in_flight -= 1;
                if let Some(number) = waiting.chains[place].front().map(|(number, _)| *number) {
                    waiting.ready.push(Reverse((number, place)));
                }
            }
            self.changed.notify_waiters();
        }
    }

    /// Sends a request until it is answered as it was recorded.
    async fn send(&self, recorded: &Recorded, transport: &dyn Transport) {
        let mut pause = FIRST_PAUSE;
        for _ in 0..TRIES {
            let answer = transport.send(self.updated(recorded.request.clone())).await;
            let status = answer.as_ref().map(|answer| answer.status().as_u16()).ok();
            if let Ok(answer) = answer {
                self.remember(answer.body());
            }
            if recorded.status.is_none() || recorded.status == status {
                return;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// With the `resourceVersion` that the server gave last.
    fn updated(&self, mut request: Request<Bytes>) -> Request<Bytes> {
        if request.method() != Method::PUT {
            return request;
        }
        let Ok(mut body) = serde_json::from_slice::<Value>(request.body()) else { return request };
        let name = body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or("").to_owned();
        if let Some(version) = self.revisions.lock().expect("no task panics").get(&name)
            && let Some(old) = body.pointer_mut("/metadata/resourceVersion")
        {
            *old = Value::from(version.clone());
            *request.body_mut() = Bytes::from(body.to_string());
        }
        request
    }

    fn remember(&self, answer: &Bytes) {
        let Ok(body) = serde_json::from_slice::<Value>(answer) else { return };
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        if let (Some(name), Some(version)) = (text("/metadata/name"), text("/metadata/resourceVersion")) {
            self.revisions.lock().expect("no task panics").insert(name, version);
        }
    }
}
