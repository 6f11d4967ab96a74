//! What a run leaves, and how it finds it.

use std::{
    sync::Arc,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use crdible::{
    connection::{RequestSummary, TransportError},
    properties::{self, Capability},
    run::CaseOutcome,
};

use serde_json::Value;

use super::{DEFINITIONS, answered, behind_rule, embedded, instead, list, open, run, sound};

/// Whether clean-up removes all definitions, and how many it reads for that, on a server that lists definitions or not.
async fn reads_of_clean_up(lists: bool) -> u32 {
    let inner = embedded();
    let reads = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&reads);
    let listless = behind_rule(Arc::clone(&inner), move |_, request| {
        let path = request.uri().path();
        let is_read = request.method() == http::Method::GET;
        if is_read && path.starts_with(DEFINITIONS) && path != DEFINITIONS {
            counted.fetch_add(1, Ordering::Relaxed);
        }
        (is_read && path == DEFINITIONS && !lists).then(|| answered(200, "{\"kind\":\"List\",\"items\":[]}"))
    });
    let session = open(listless).await;
    run(&session, sound(), 50).await;
    assert!(!list(&*inner, DEFINITIONS).await.is_empty(), "there is something to remove");
    let before = reads.load(Ordering::Relaxed);
    assert_eq!(session.close().await, []);
    assert_eq!(list(&*inner, DEFINITIONS).await, Vec::<Value>::new());
    reads.load(Ordering::Relaxed) - before
}

#[tokio::test]
async fn a_list_shows_what_is_left() {
    assert_eq!(reads_of_clean_up(true).await, 0);
}

#[tokio::test]
async fn where_the_list_lacks_definitions_each_is_looked_for() {
    assert!(reads_of_clean_up(false).await > 0);
}

/// The server creates definitions even on a dry run.
#[tokio::test]
async fn what_a_dry_run_created_is_removed() {
    let server = embedded();
    let ignores_dry_runs = behind_rule(Arc::clone(&server), |_, request| {
        let path = request.uri().path();
        if *request.method() == http::Method::POST && path.ends_with("/customresourcedefinitions") {
            *request.uri_mut() = path.parse().expect("a path is a URI");
        }
        None
    });
    let session = open(ignores_dry_runs).await;
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
    assert!(!list(&*server, DEFINITIONS).await.is_empty(), "there is something to remove");
    assert_eq!(session.close().await, []);
    assert_eq!(list(&*server, DEFINITIONS).await, Vec::<Value>::new());
}

/// Finalizers, which keep a definition from being removed, go by PUT then.
#[tokio::test]
async fn a_server_without_patches_is_cleaned_up() {
    let server = embedded();
    let held = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&held);
    let session = open(behind_rule(Arc::clone(&server), move |_, request| {
        let has_finalizers = request.body().windows(12).any(|window| window == b"\"finalizers\"");
        if *request.method() == http::Method::POST && has_finalizers {
            counted.fetch_add(1, Ordering::Relaxed);
        }
        let status = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"MethodNotAllowed","code":405}"#;
        (*request.method() == http::Method::PATCH).then(|| answered(405, status))
    }))
    .await;
    run(&session, properties::find("rest-044-deletion").expect("a property"), 20).await;
    assert_eq!(session.close().await, []);
    assert!(held.load(Ordering::Relaxed) > 0);
    assert_eq!(list(&*server, DEFINITIONS).await, Vec::<Value>::new());
}

/// The connection ends when a definition is created, and the request arrives when the server has just been asked for
/// the definition, and has none.
#[tokio::test]
async fn what_is_created_late_is_removed() {
    let server = embedded();
    let (loses, arrived) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let (goes_on, counted) = (Arc::clone(&loses), Arc::clone(&arrived));
    let session = open(behind_rule(Arc::clone(&server), move |server, request| {
        let is_create = *request.method() == http::Method::POST && request.uri().path() == DEFINITIONS;
        if !is_create || !goes_on.load(Ordering::Relaxed) {
            return None;
        }
        let (server, request, counted) = (Arc::clone(server), request.clone(), Arc::clone(&counted));
        let place = RequestSummary::new("somewhere", request.method(), request.uri());
        Some(instead(async move {
            tokio::spawn(async move {
                tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                server.send(request).await.expect("the embedded server answers");
                counted.fetch_add(1, Ordering::Relaxed);
            });
            let detail = "reset".to_owned();
            Err(TransportError::Closed { place, detail, advice: "", is_received: true })
        }))
    }))
    .await;
    loses.store(true, Ordering::Relaxed);
    // Each of its scenarios has a definition of its own.
    run(&session, properties::find("sub-015-defect-switched").expect("a property"), 1).await;
    assert_eq!(session.close().await, []);
    assert!(arrived.load(Ordering::Relaxed) > 0);
    assert_eq!(list(&*server, DEFINITIONS).await, Vec::<Value>::new());
}
