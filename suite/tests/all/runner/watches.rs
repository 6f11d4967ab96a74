//! Servers whose watches come in another way.

use std::time::Duration;

use crdible::{
    connection::{TargetOptions, connect},
    execute::{Executor, ExecutorOptions},
    properties::{self, Capability},
    run::{CaseOutcome, Session, new_run_id},
};

use super::{answered, behind_rule, instead, open_patiently, run};
use crate::disturbed::server::Served;

/// The properties of watches are judged over WebSocket, and that they need it is one finding.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_may_serve_watches_over_websocket_alone() {
    let served = Served::right().await;
    let options = TargetOptions { server: Some(format!("http://{}", served.address)), ..TargetOptions::default() };
    let target = connect(&options).await.expect("a target");
    let server = behind_rule(target.transport.clone(), |_, request| {
        let is_watch = request.uri().query().is_some_and(|query| query.contains("watch="));
        let is_plain = is_watch && !request.headers().contains_key(http::header::UPGRADE);
        let status = r#"{"kind":"Status","code":400,"reason":"BadRequest","message":"\"Connection\" header"}"#;
        is_plain.then(|| answered(400, status))
    });
    let session = open_patiently(server).await;
    let missing: Vec<_> =
        session.missing_capabilities().filter_map(|(capability, finding)| Some((capability, finding?))).collect();
    let [(Capability::PlainWatches, finding)] = &missing[..] else { panic!("{missing:?}") };
    let summary = &finding.failure().summary;
    assert!(summary.starts_with("watches are served over WebSocket alone") && summary.contains("400"), "{summary}");
    assert_eq!(finding.failure().requirements, ["REST-060"]);
    for property in ["inv-055-replay", "rest-061-initial-events"] {
        let property = properties::find(property).expect("a property of watches");
        let (summary, outcomes) = run(&session, property, 8).await;
        assert!(outcomes.iter().all(|outcome| matches!(outcome, CaseOutcome::Pass)), "{outcomes:?}");
        assert!(summary.cases[property.id] >= 8, "{:?}", summary.cases);
    }
}

/// A run asks for watches of a second, and the server does as it is asked: that says nothing about the server.
#[tokio::test(flavor = "multi_thread")]
async fn watches_that_last_longer_than_the_time_for_a_request_are_an_error() {
    let served = Served::right().await;
    let options = TargetOptions { server: Some(format!("http://{}", served.address)), ..TargetOptions::default() };
    let target = connect(&options).await.expect("a target");
    let brief = TargetOptions { request_timeout: Some(Duration::from_millis(900)), ..options };
    let brief = connect(&brief).await.expect("a target").transport;
    let server = behind_rule(target.transport.clone(), move |_, request| {
        let is_watch = request.uri().query().is_some_and(|query| query.contains("watch="));
        let (brief, request) = (brief.clone(), request.clone());
        is_watch.then(|| instead(async move { brief.send(request).await }))
    });
    let executor = Executor::new(server, ExecutorOptions::of_run(new_run_id()));
    let error = Session::open(executor).await.expect_err("no watch ends in time").to_string();
    assert!(error.contains("watch=true") && error.contains("did not end within 900ms"), "{error}");
}
