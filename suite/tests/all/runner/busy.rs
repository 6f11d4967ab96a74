//! Servers whose watch cache has not caught up when a watch begins (REST-061).

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    sync::{Arc, OnceLock},
    time::Duration,
};

use crdible::{
    connection::Transport,
    properties,
    run::{CaseOutcome, Stop},
};
use rstest::rstest;
use tokio::time::Instant;

use super::{answered, assert_all_pass, behind_rule, embedded, instead, open, open_patiently, run};

/// How kube-apiserver ends a watch whose state its cache has not reached in time.
const NOT_YET: &str = concat!(
    r#"{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","#,
    r#""message":"Timeout: Too large resource version: 9, current: 8","reason":"Timeout","code":504,"#,
    r#""details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]}}}"#,
    "\n"
);

/// Cannot begin those watches of the present state yet whose number, from 0 on, this holds of. Also how many it could
/// not begin so far.
fn busy(is_early: impl Fn(u32) -> bool + Send + Sync + 'static) -> (Arc<dyn Transport>, Arc<AtomicU32>) {
    let watches = AtomicU32::new(0);
    let early = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&early);
    let server = behind_rule(embedded(), move |_, request| {
        let query = request.uri().query().unwrap_or_default();
        let begins = query.contains("watch=true") && !query.contains("resourceVersion=");
        if !begins || !is_early(watches.fetch_add(1, Ordering::Relaxed)) {
            return None;
        }
        counted.fetch_add(1, Ordering::Relaxed);
        let response = http::Response::builder().header("content-type", "application/json").body(NOT_YET.into());
        Some(instead(async { Ok(response.expect("a response")) }))
    });
    (server, early)
}

#[rstest]
#[case::rest_061("rest-061-initial-events")]
#[case::fsel_009("fsel-009-watch")]
#[case::table_008("table-008-watch")]
#[tokio::test]
async fn a_watch_that_cannot_begin_yet_is_sent_again(#[case] id: &str) {
    let (server, early) = busy(|number| number % 3 != 0);
    let session = open(server).await;
    let before = early.load(Ordering::Relaxed);
    let (summary, outcomes) = run(&session, properties::find(id).expect("a property"), 40).await;
    assert_eq!(summary.stop, Stop::Finished);
    assert_all_pass(&outcomes);
    assert!(early.load(Ordering::Relaxed) > before, "no watch had to be sent again");
}

#[tokio::test]
async fn a_watch_that_never_begins_is_a_failure() {
    let session = open(busy(|_| true).0).await;
    let (_, outcomes) = run(&session, properties::find("rest-061-initial-events").expect("a property"), 10).await;
    assert!(outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{outcomes:?}");
}

/// Twice as long as other things are waited for that have always come at once.
#[tokio::test(start_paused = true)]
async fn a_server_that_has_begun_watches_has_time_to_begin_others() {
    let is_open = Arc::new(AtomicBool::new(false));
    let (runs, of_the_run, busy_since) = (Arc::clone(&is_open), AtomicU32::new(0), OnceLock::new());
    let (server, early) = busy(move |_| {
        let has_begun_some = runs.load(Ordering::Relaxed) && of_the_run.fetch_add(1, Ordering::Relaxed) > 2;
        has_begun_some && busy_since.get_or_init(Instant::now).elapsed() < Duration::from_secs(20)
    });
    let session = open_patiently(server).await;
    is_open.store(true, Ordering::Relaxed);
    let before = early.load(Ordering::Relaxed);
    let (_, outcomes) = run(&session, properties::find("rest-061-initial-events").expect("a property"), 40).await;
    assert_all_pass(&outcomes);
    assert!(early.load(Ordering::Relaxed) > before, "no watch had to be sent again");
}

/// A definition that is not removed yet, although its objects are.
const STAYS: &str = concat!(
    r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"x"},"#,
    r#""status":{"conditions":[{"type":"Terminating","status":"False","reason":"InstanceDeletionCompleted"}]}}"#,
);

/// The same for definitions that are removed: kube-apiserver cleans up after five at a time.
#[tokio::test(start_paused = true)]
async fn a_server_that_has_removed_definitions_has_time_to_remove_others() {
    let (is_open, late) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let (runs, of_the_run, busy_since) = (Arc::clone(&is_open), AtomicU32::new(0), Arc::new(OnceLock::new()));
    let counted = Arc::clone(&late);
    let server = behind_rule(embedded(), move |server, request| {
        let is_read = request.method() == "GET" && request.uri().path().contains("/customresourcedefinitions/");
        if !is_read || !runs.load(Ordering::Relaxed) {
            return None;
        }
        let (server, request) = (Arc::clone(server), request.clone());
        let (busy_since, counted) = (Arc::clone(&busy_since), Arc::clone(&counted));
        let has_removed_some = of_the_run.fetch_add(1, Ordering::Relaxed) > 20;
        Some(Box::pin(async move {
            let answer = server.send(request).await?;
            let is_busy = || busy_since.get_or_init(Instant::now).elapsed() < Duration::from_secs(20);
            if answer.status() == 404 && has_removed_some && is_busy() {
                counted.fetch_add(1, Ordering::Relaxed);
                return answered(200, STAYS).await;
            }
            Ok(answer)
        }))
    });
    let session = open_patiently(server).await;
    is_open.store(true, Ordering::Relaxed);
    let (_, outcomes) = run(&session, properties::find("disc-005-terminating").expect("a property"), 40).await;
    assert_all_pass(&outcomes);
    assert!(late.load(Ordering::Relaxed) > 0, "no definition was late");
}
