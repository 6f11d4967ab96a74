//! Servers on which others write, which forbid something, or which answer differently from some point on.

use std::{
    sync::Arc,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use crdible::{
    connection::{HttpRequest, ResponseFuture, Transport},
    properties::{self},
    run::{CaseOutcome, Summary, new_run_id},
    webhook::Registry,
};

use super::{embedded, open, run};

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
    assert_eq!(session.missing_capabilities().map(|(capability, _)| capability).collect::<Vec<_>>(), []);
    assert_eq!(busy.conflicts_left.load(Ordering::Relaxed), 0);
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
