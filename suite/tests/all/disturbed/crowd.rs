//! Other clients of the same server: watchers, writers, and a second run.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use crdible::connection::{HttpRequest, Transport};
use http::{Method, header};
use serde_json::{Value, json};
use tokio::{
    task::JoinSet,
    time::{self, Instant},
};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The group of what other clients create; it has no label of a run.
const GROUP: &str = "others.example";

/// How many clients share a definition of objects.
const SHARE: usize = 20;

/// One client of this number creates, changes and deletes definitions; of the others, half watch and half
/// write objects.
const DEFINERS: usize = 10;

/// Each of them does something so often, so that a crowd is a load and not a flood.
const PACE: Duration = Duration::from_millis(100);

/// The pace of those who create definitions: a real server deletes five at a time, and takes a second for it.
const PACE_OF_DEFINERS: Duration = Duration::from_secs(2);

/// A crowd that gets nothing done within this time is no load.
const IDLE: Duration = Duration::from_secs(60);

/// Other clients at work.
pub(crate) struct Crowd {
    transport: Arc<dyn Transport>,
    members: JoinSet<()>,
    shared: usize,
    /// How many requests for each work were accepted.
    accepted: Accepted,
}

/// What a client does again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Work {
    Watching,
    WritingObjects,
    Defining,
}

/// How many requests for each work were accepted.
type Accepted = Arc<Mutex<BTreeMap<Work, u64>>>;

/// A client of a crowd.
struct Member {
    transport: Arc<dyn Transport>,
    number: usize,
    /// The definition of objects that it shares with others.
    plural: String,
    accepted: Accepted,
}

impl Crowd {
    /// This number of other clients begins to work.
    pub(crate) async fn of(members: usize, transport: Arc<dyn Transport>) -> Self {
        let shared = members.div_ceil(SHARE);
        for number in 0..shared {
            let created =
                send(&transport, Method::POST, DEFINITIONS, Some(definition(&format!("shared{number}s")))).await;
            assert_eq!(created.map(|answer| answer.0), Some(201));
        }
        let mut crowd = Self { transport, members: JoinSet::new(), shared, accepted: Accepted::default() };
        for number in 0..members {
            let member = Member {
                transport: Arc::clone(&crowd.transport),
                number,
                plural: format!("shared{}s", number % shared),
                accepted: Arc::clone(&crowd.accepted),
            };
            crowd.members.spawn(async move {
                match number {
                    _ if number % DEFINERS == 0 => member.define().await,
                    _ if number % 2 == 0 => member.write().await,
                    _ => member.watch().await,
                }
            });
        }
        crowd
    }

    /// They end their work, once some of each has been done, and remove what they made.
    ///
    /// # Panics
    ///
    /// If they get nothing done.
    pub(crate) async fn leave(mut self) {
        let begun = Instant::now();
        while self.accepted.lock().unwrap().len() < 3 {
            assert!(begun.elapsed() < IDLE, "the crowd did only this: {:?}", self.accepted);
            time::sleep(PACE).await;
        }
        self.members.shutdown().await;
        let shared = (0..self.shared).map(|number| format!("shared{number}s"));
        let own =
            (0..self.shared * SHARE).filter(|number| number % DEFINERS == 0).map(|number| format!("own{number}s"));
        for plural in shared.chain(own) {
            send(&self.transport, Method::DELETE, &format!("{DEFINITIONS}/{plural}.{GROUP}"), None).await;
        }
    }
}

impl Member {
    /// Watches objects, or definitions, again and again.
    async fn watch(self) {
        let objects = format!("/apis/{GROUP}/v1/{}", self.plural);
        let collection = if self.number % 4 == 1 { &objects } else { DEFINITIONS };
        let mut pace = time::interval(PACE);
        loop {
            pace.tick().await;
            let path = format!("{collection}?watch=1&timeoutSeconds=5");
            self.send(Work::Watching, Method::GET, &path, None).await;
        }
    }

    /// Creates an object, changes it, lists all and deletes it, again and again.
    async fn write(self) {
        let Self { number, plural, .. } = &self;
        let collection = format!("/apis/{GROUP}/v1/{plural}");
        let object = json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": kind(plural),
            "metadata": { "name": format!("one{number}") }, "spec": { "count": 1, "unknown": true },
        });
        let path = format!("{collection}/one{number}");
        let mut pace = time::interval(PACE);
        loop {
            for (method, path, body) in [
                (Method::POST, &collection, Some(object.clone())),
                (Method::PATCH, &path, Some(json!({ "spec": { "count": 2 } }))),
                (Method::GET, &collection, None),
                (Method::DELETE, &path, None),
            ] {
                pace.tick().await;
                self.send(Work::WritingObjects, method, path, body).await;
            }
        }
    }

    /// Creates a definition, changes it and deletes it, again and again.
    async fn define(self) {
        let plural = format!("own{}s", self.number);
        let path = format!("{DEFINITIONS}/{plural}.{GROUP}");
        let mut pace = time::interval(PACE_OF_DEFINERS);
        loop {
            for (method, path, body) in [
                (Method::POST, DEFINITIONS, Some(definition(&plural))),
                (Method::PATCH, &path, Some(json!({ "metadata": { "labels": { "changed": "yes" } } }))),
                (Method::DELETE, &path, None),
            ] {
                pace.tick().await;
                self.send(Work::Defining, method, path, body).await;
            }
        }
    }

    async fn send(&self, work: Work, method: Method, path: &str, body: Option<Value>) {
        let status = send(&self.transport, method, path, body).await.map(|answer| answer.0);
        if status.is_some_and(|status| (200..300).contains(&status)) {
            *self.accepted.lock().unwrap().entry(work).or_default() += 1;
        }
    }
}

fn kind(plural: &str) -> String {
    format!("Kind{plural}")
}

fn definition(plural: &str) -> Value {
    let spec = json!({ "type": "object", "properties": { "count": { "type": "integer", "default": 0 } } });
    let schema = json!({ "type": "object", "properties": { "spec": spec } });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.{GROUP}") },
        "spec": {
            "group": GROUP, "scope": "Cluster", "names": { "plural": plural, "kind": kind(plural) },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    })
}

/// Status and body of an answer, if there is one.
async fn send(
    transport: &Arc<dyn Transport>,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Option<(u16, bytes::Bytes)> {
    let is_patch = method == Method::PATCH;
    let mut request = HttpRequest::new(body.map(|body| body.to_string()).unwrap_or_default().into());
    *request.method_mut() = method;
    *request.uri_mut() = path.parse().unwrap();
    let kind = if is_patch { "application/merge-patch+json" } else { "application/json" };
    request.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    let answer = transport.send(request).await.ok()?;
    Some((answer.status().as_u16(), answer.into_body()))
}
