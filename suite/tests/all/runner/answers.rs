//! Servers on which others write, which forbid something, or which answer differently from some point on.

use std::{
    sync::Arc,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use crdible::{
    connection::HttpRequest,
    properties::{self},
    run::{CaseOutcome, Summary, new_run_id},
};

use super::{answered, behind_rule, embedded, instead, one_less, open, run};

/// Others write to a definition between its read and its first updates, as controllers do.
#[tokio::test]
async fn a_conflict_with_another_writer_is_no_missing_capability() {
    let left = Arc::new(AtomicU32::new(2));
    let conflicts_left = Arc::clone(&left);
    let busy = behind_rule(embedded(), move |server, request| {
        let is_update =
            request.method() == http::Method::PUT && request.uri().path().contains("/customresourcedefinitions/");
        if !is_update || !one_less(&conflicts_left) {
            return None;
        }
        let annotation = format!("{{\"metadata\":{{\"annotations\":{{\"busy\":\"{}\"}}}}}}", new_run_id());
        let write = http::Request::builder()
            .method(http::Method::PATCH)
            .uri(request.uri().path())
            .header(http::header::CONTENT_TYPE, "application/merge-patch+json")
            .body(annotation.into())
            .expect("a request");
        let (server, update) = (Arc::clone(server), request.clone());
        Some(instead(async move {
            assert_eq!(server.send(write).await?.status(), http::StatusCode::OK);
            server.send(update).await
        }))
    });
    let session = open(busy).await;
    assert_eq!(session.missing_capabilities().map(|(capability, _)| capability).collect::<Vec<_>>(), []);
    assert_eq!(left.load(Ordering::Relaxed), 0);
}

/// It must not fail REST-068: the suite does not judge permissions. The message is that of upstream's authorizer.
#[tokio::test]
async fn a_missing_permission_is_not_a_failure() {
    let restrictive = behind_rule(embedded(), |_, request| {
        if *request.method() != http::Method::DELETE || !request.uri().path().ends_with("/things") {
            return None;
        }
        let message = r#"things.g.example is forbidden: User "eve" cannot deletecollection resource "things""#;
        let status = serde_json::json!({ "kind": "Status", "code": 403, "reason": "Forbidden", "message": message });
        Some(answered(403, status.to_string()))
    });
    let session = open(restrictive).await;
    let deletes_collections = properties::find("ver-009-unserved").expect("a property that deletes whole collections");
    let (_, outcomes) = run(&session, deletes_collections, 20).await;
    assert!(!outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{outcomes:?}");
    let forbidden = |outcome: &CaseOutcome| matches!(outcome, CaseOutcome::Error(message) if message.contains("cannot deletecollection"));
    assert!(outcomes.iter().any(forbidden), "{outcomes:?}");
}

/// Runs cases of a property on a server that turns before the first: then it gives this code and body, except for
/// requests that are still answered as before.
async fn run_turned(
    answer: fn(&HttpRequest) -> Option<(u16, serde_json::Value)>,
    property: &str,
) -> (Summary, Vec<CaseOutcome>) {
    let turned = Arc::new(AtomicBool::new(false));
    let has_turned = Arc::clone(&turned);
    let turning = behind_rule(embedded(), move |_, request| {
        let answer = if has_turned.load(Ordering::Relaxed) { answer(request) } else { None };
        answer.map(|(code, body)| answered(code, body.to_string()))
    });
    let session = open(turning).await;
    turned.store(true, Ordering::Relaxed);
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
