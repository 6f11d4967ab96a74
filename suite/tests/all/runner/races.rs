//! Servers that fail only at some times when requests come together: what counts as seen, and what as an accident.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use crdible::{
    connection::{Ended, Transport},
    run::{ConfirmedFinding, Event, Interrupt, RunOptions, Stop},
};
use http::Method;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{behind_rule, embedded, open};
use crdible::properties;

/// Which requests are answered wrongly: by their number, of creates of a name that existed before by that in their
/// group, from 0.
type Fails = fn(u64) -> bool;

/// A server that answers such creates wrongly.
fn forgetful(fails: Fails) -> Arc<dyn Transport> {
    let (deleted, again): (Mutex<BTreeSet<String>>, Mutex<BTreeMap<String, u64>>) = Default::default();
    behind_rule(embedded(), move |server, request| {
        let path = request.uri().path().to_owned();
        if request.method() == Method::DELETE {
            deleted.lock().expect("no other has failed").insert(path);
            return None;
        }
        let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let name = format!("{path}/{}", body["metadata"]["name"].as_str().unwrap_or_default());
        if request.method() != Method::POST || !deleted.lock().expect("no other has failed").contains(&name) {
            return None;
        }
        let number = {
            let mut again = again.lock().expect("no other has failed");
            let number = again.entry(path).or_default();
            *number += 1;
            *number - 1
        };
        if !fails(number) {
            return None;
        }
        let (server, request) = (Arc::clone(server), std::mem::take(request));
        Some(Box::pin(async move { Ok(with_other_revision(server.send(request).await?)) }))
    })
}

fn with_other_revision(answer: http::Response<Bytes>) -> http::Response<Bytes> {
    answer.map(|body| {
        let mut body: Value = serde_json::from_slice(&body).expect("the answer to a create is JSON");
        body["metadata"]["resourceVersion"] = json!("987654321");
        Bytes::from(body.to_string())
    })
}

/// The findings of a run of the property of creates beside other writes.
async fn findings(fails: Fails) -> Vec<ConfirmedFinding> {
    findings_of("rest-043-recreation", forgetful(fails)).await
}

/// The findings of a run of one property.
async fn findings_of(property: &str, server: Arc<dyn Transport>) -> Vec<ConfirmedFinding> {
    let session = open(server).await;
    let property = properties::find(property).expect("there is such a property");
    let options = RunOptions { seed: 1, workers: 2, ..RunOptions::new([property], 200) };
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = session.run(options, sender, Interrupt::never()).await;
    assert_eq!(summary.stop, Stop::Finished);
    let mut findings = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let Event::Found(finding) = event {
            findings.push(*finding);
        }
    }
    findings
}

fn read_differs(findings: Vec<ConfirmedFinding>) -> impl Iterator<Item = ConfirmedFinding> {
    findings.into_iter().filter(|finding| finding.failure().signature.check == "as-answered")
}

#[tokio::test]
async fn a_race_that_fails_at_times_is_confirmed_and_shows_an_attempt_that_failed() {
    let finding = read_differs(findings(|number| number % 4 == 3).await).find(|finding| !finding.is_flaky());
    let finding = finding.expect("a fourth of the creates is wrong");
    assert!(finding.races > 0, "{finding:?}");
    let exchanges = finding.records.iter().flat_map(|record| &record.exchanges);
    assert!(exchanges.into_iter().any(|exchange| format!("{exchange:?}").contains("987654321")), "{finding:?}");
}

#[tokio::test]
async fn a_race_seen_in_three_scenarios_needs_no_repetition() {
    // Each attempt of a confirmation has a definition of its own, and too few creates to get there.
    let all = read_differs(findings(|number| number >= 60 && number % 9 == 0).await);
    let all: Vec<ConfirmedFinding> = all.collect();
    // Also if no attempt of a confirmation failed.
    let is_recorded = |finding: &ConfirmedFinding| finding.records.iter().any(|record| !record.exchanges.is_empty());
    assert!(all.iter().all(is_recorded), "{all:?}");
    let certain: Vec<ConfirmedFinding> = all.into_iter().filter(|finding| !finding.is_flaky()).collect();
    assert!(certain.iter().any(|finding| finding.reproduced < 3 && finding.races >= 3), "{certain:?}");
}

#[tokio::test]
async fn what_was_seen_once_and_never_again_is_not_certain() {
    let all: Vec<ConfirmedFinding> = findings(|number| number == 60).await;
    assert!(!all.is_empty(), "it is reported");
    assert!(all.iter().all(ConfirmedFinding::is_flaky), "{all:?}");
}

/// A server to whose reads of `/status` and `/scale` the connection ends at first, by their number.
fn dropping(fails: Fails) -> Arc<dyn Transport> {
    let reads = Mutex::new(0);
    behind_rule(embedded(), move |server, request| {
        let path = request.uri().path();
        if request.method() != Method::GET || !(path.ends_with("/status") || path.ends_with("/scale")) {
            return None;
        }
        let number = {
            let mut reads = reads.lock().expect("no other has failed");
            *reads += 1;
            *reads
        };
        let (server, request) = (Arc::clone(server), std::mem::take(request));
        Some(Box::pin(async move {
            let mut answer = server.send(request).await?;
            if fails(number) {
                answer.extensions_mut().insert(Ended { times: 1 });
            }
            Ok(answer)
        }))
    })
}

#[tokio::test]
async fn connections_that_end_in_a_race_are_a_failure_if_they_are_many() {
    let often = findings_of("sub-015-defect-switched", dropping(|number| number % 10 == 0)).await;
    let [found] = &often[..] else { panic!("{often:?}") };
    assert!(!found.is_flaky(), "{found:?}");
    let signature = found.failure().signature.to_string();
    assert_eq!(signature, "sub-015-defect-switched:at-once::ended");
    // A way to the server on which one of some hundred connections ends is no fault of the server.
    let seldom = findings_of("sub-015-defect-switched", dropping(|number| number % 300 == 0)).await;
    assert!(seldom.is_empty(), "{seldom:?}");
}
