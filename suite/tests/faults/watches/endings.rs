//! Faults in how a change of the definition ends watches.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    hooked::{has, hooked, is_watch},
    server::set_parameter,
    table::{Fault, fault},
};

const BREAKS: &[&str] = &["REST-066"];
const CAUGHT: &[&str] = &["rest-066-endings"];
/// How such watches are asked for.
const ASKED: &str = "timeoutSeconds=15";

pub(crate) const FAULTS: &[Fault] = &[
    fault("watches-outlive-their-version", "a watch goes on although its version is no longer served")
        .breaks(BREAKS)
        .blamed(&["REST-066"])
        .caught_by(CAUGHT)
        .within_lines(60)
        .obvious()
        // Each case that finds it takes 15 s.
        .by_example_only()
        .around(act!(|server, request| {
            let is_long = is_watch(&request) && has(&request, ASKED);
            let begun = Instant::now();
            let answered = server.server.send(request).await?;
            if is_long && answered.status().is_success() {
                tokio::time::sleep(Duration::from_secs(15).saturating_sub(begun.elapsed())).await;
            }
            Ok(answered)
        })),
    fault("definitions-go-in-silence", "a watch ends when its definition is deleted, and does not report its objects")
        .breaks(BREAKS)
        .blamed(&["REST-066"])
        .caught_by(CAUGHT)
        .within_lines(60)
        .obvious()
        .events(|request, events| {
            if has(request, ASKED) {
                events.clear();
            }
        }),
    fault(
        "the-last-deletion-is-not-reported",
        "of the objects of a deleted definition a watch does not report the last",
    )
    .breaks(BREAKS)
    .blamed(&["REST-066"])
    .caught_by(CAUGHT)
    .within_lines(60)
    .events(|request, events| {
        if has(request, ASKED) && events.len() > 1 {
            events.pop();
        }
    }),
    fault(
        "objects-of-deleted-definitions-are-changed",
        "the objects of a deleted definition are reported as modified first",
    )
    .breaks(BREAKS)
    .blamed(&["REST-066"])
    .caught_by(CAUGHT)
    .within_lines(60)
    .events(|request, events| {
        if has(request, ASKED) {
            let changed = |event: &Value| json!({ "type": "MODIFIED", "object": event["object"] });
            *events = events.iter().flat_map(|event| [changed(event), event.clone()]).collect();
        }
    }),
    fault(
        "deletions-of-definitions-ignore-selectors",
        "a watch reports all objects of a deleted definition, whatever it selects",
    )
    .breaks(BREAKS)
    .blamed(&["REST-066"])
    .caught_by(CAUGHT)
    .within_lines(60)
    .requests(|request| {
        if is_watch(request) && has(request, ASKED) {
            set_parameter(request, "labelSelector", None);
        }
    }),
];
