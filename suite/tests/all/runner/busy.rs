//! Servers whose watch cache has not caught up when a watch begins (REST-061).

use std::{
    sync::Arc,
    sync::atomic::{AtomicU32, Ordering},
};

use crdible::{
    connection::Transport,
    properties,
    run::{CaseOutcome, Stop},
};
use rstest::rstest;

use super::{assert_all_pass, behind_rule, embedded, instead, open, run};

/// How kube-apiserver ends a watch whose state its cache has not reached in time.
const NOT_YET: &str = concat!(
    r#"{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","#,
    r#""message":"Timeout: Too large resource version: 9, current: 8","reason":"Timeout","code":504,"#,
    r#""details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]}}}"#,
    "\n"
);

/// Cannot begin two of three watches of the present state yet, or never any. Also how many it could not begin so far.
fn busy(always: bool) -> (Arc<dyn Transport>, Arc<AtomicU32>) {
    let watches = AtomicU32::new(0);
    let early = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&early);
    let server = behind_rule(embedded(), move |_, request| {
        let query = request.uri().query().unwrap_or_default();
        let begins = query.contains("watch=true") && !query.contains("resourceVersion=");
        let is_early = begins && (always || !watches.fetch_add(1, Ordering::Relaxed).is_multiple_of(3));
        if !is_early {
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
    let (server, early) = busy(false);
    let session = open(server).await;
    let before = early.load(Ordering::Relaxed);
    let (summary, outcomes) = run(&session, properties::find(id).expect("a property"), 40).await;
    assert_eq!(summary.stop, Stop::Finished);
    assert_all_pass(&outcomes);
    assert!(early.load(Ordering::Relaxed) > before, "no watch had to be sent again");
}

#[tokio::test]
async fn a_watch_that_never_begins_is_a_failure() {
    let session = open(busy(true).0).await;
    let (_, outcomes) = run(&session, properties::find("rest-061-initial-events").expect("a property"), 10).await;
    assert!(outcomes.iter().any(|outcome| matches!(outcome, CaseOutcome::Fail(_))), "{outcomes:?}");
}
