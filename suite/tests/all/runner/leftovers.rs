//! What a run leaves, and how it finds it.

use std::{
    sync::Arc,
    sync::atomic::{AtomicU32, Ordering},
};

use crdible::{
    connection::{HttpRequest, ResponseFuture, Transport},
    properties::{self, Capability},
    run::CaseOutcome,
    webhook::Registry,
};

use super::{DEFINITIONS, embedded, open, run, sound};

/// Lists no definitions, and counts how often one is read.
#[derive(Debug)]
struct Listless {
    inner: Arc<dyn Transport>,
    lists: bool,
    reads: AtomicU32,
}

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
    assert_eq!(session.close().await, []);
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
    assert!(session.missing_capabilities().any(|(capability, _)| capability == Capability::DefinitionDryRun));
    // Real requests replace the dry runs.
    let property = properties::find("struct-002-node-types").expect("a property on dry runs");
    assert_eq!(session.missing(property), None);
    let (summary, outcomes) = run(&session, property, 20).await;
    assert!(summary.cases[property.id] > 0, "{summary:?}");
    assert!(
        outcomes.iter().all(|outcome| matches!(outcome, CaseOutcome::Pass | CaseOutcome::Discard(_))),
        "{outcomes:?}"
    );
    assert_eq!(session.close().await, []);
    let list = HttpRequest::new(bytes::Bytes::new());
    let (mut head, body) = list.into_parts();
    head.uri = DEFINITIONS.parse().expect("a path is a URI");
    let answer = server.send(HttpRequest::from_parts(head, body)).await.expect("the embedded server answers");
    let list: serde_json::Value = serde_json::from_slice(answer.body()).expect("a list");
    assert_eq!(list["items"], serde_json::json!([]));
}
