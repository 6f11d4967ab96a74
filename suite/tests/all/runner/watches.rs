//! Servers whose watches come in another way.

use crdible::{
    connection::{TargetOptions, connect},
    properties::{self, Capability},
    run::CaseOutcome,
};

use super::{answered, behind_rule, open_patiently, run};
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
