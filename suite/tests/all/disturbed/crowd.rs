//! Other clients of the same server: watchers, writers, and a second run.

use std::{sync::Arc, time::Duration};

use crdible::connection::{HttpRequest, Transport};
use http::{Method, header};
use serde_json::{Value, json};
use tokio::{task::JoinSet, time};

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

/// Other clients at work.
pub(crate) struct Crowd {
    transport: Arc<dyn Transport>,
    members: JoinSet<()>,
    shared: usize,
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
        let mut crowd = Self { transport, members: JoinSet::new(), shared };
        for number in 0..members {
            let transport = Arc::clone(&crowd.transport);
            let plural = format!("shared{}s", number % shared);
            crowd.members.spawn(async move {
                match number {
                    _ if number % DEFINERS == 0 => define(transport, number).await,
                    _ if number % 2 == 0 => write(transport, &plural, number).await,
                    _ => watch(transport, &plural, number).await,
                }
            });
        }
        crowd
    }

    /// They end their work, and remove what they made.
    pub(crate) async fn leave(mut self) {
        self.members.shutdown().await;
        let shared = (0..self.shared).map(|number| format!("shared{number}s"));
        let own =
            (0..self.shared * SHARE).filter(|number| number % DEFINERS == 0).map(|number| format!("own{number}s"));
        for plural in shared.chain(own) {
            send(&self.transport, Method::DELETE, &format!("{DEFINITIONS}/{plural}.{GROUP}"), None).await;
        }
    }
}

/// Watches objects, or definitions, again and again.
async fn watch(transport: Arc<dyn Transport>, plural: &str, number: usize) {
    let objects = format!("/apis/{GROUP}/v1/{plural}");
    let collection = if number % 4 == 1 { &objects } else { DEFINITIONS };
    let mut pace = time::interval(PACE);
    loop {
        pace.tick().await;
        send(&transport, Method::GET, &format!("{collection}?watch=1&timeoutSeconds=5"), None).await;
    }
}

/// Creates an object, changes it, lists all and deletes it, again and again.
async fn write(transport: Arc<dyn Transport>, plural: &str, number: usize) {
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
            send(&transport, method, path, body).await;
        }
    }
}

/// Creates a definition, changes it and deletes it, again and again.
async fn define(transport: Arc<dyn Transport>, number: usize) {
    let plural = format!("own{number}s");
    let path = format!("{DEFINITIONS}/{plural}.{GROUP}");
    let mut pace = time::interval(PACE_OF_DEFINERS);
    loop {
        for (method, path, body) in [
            (Method::POST, DEFINITIONS, Some(definition(&plural))),
            (Method::PATCH, &path, Some(json!({ "metadata": { "labels": { "changed": "yes" } } }))),
            (Method::DELETE, &path, None),
        ] {
            pace.tick().await;
            send(&transport, method, path, body).await;
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
