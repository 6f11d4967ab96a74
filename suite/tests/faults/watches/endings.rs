//! Faults in how a change of the definition ends watches.

use std::time::Duration;

use crdible::connection::HttpRequest;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    sent::{is_watch, parameter, set_parameter},
    table::{Fault, fault, obvious_fault},
};

const BREAKS: &[&str] = &["REST-066"];
const CAUGHT: &[&str] = &["rest-066-endings"];

/// How long a watch was asked to go on, if it waits for a change of the definition: others are asked for a second.
fn long(request: &HttpRequest) -> Option<Duration> {
    let seconds = parameter(request, "timeoutSeconds")?.parse().ok()?;
    (is_watch(request) && seconds > 1).then(|| Duration::from_secs(seconds))
}

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("watches-outlive-their-version", "a watch goes on although its version is no longer served")
        .breaks(BREAKS, CAUGHT)
        // Each case that finds it takes as long as the watch.
        .by_example_only()
        .around(act!(|server, request| {
            let long = long(&request);
            let begun = Instant::now();
            let answered = server.pass(request).await?;
            if let Some(asked) = long.filter(|_| answered.status().is_success()) {
                tokio::time::sleep(asked.saturating_sub(begun.elapsed())).await;
            }
            Ok(answered)
        })),
    obvious_fault(
        "definitions-go-in-silence",
        "a watch ends when its definition is deleted, and does not report its objects",
    )
    .breaks(BREAKS, CAUGHT)
    .events(|request, events| {
        if long(request).is_some() {
            events.clear();
        }
    }),
    fault(
        "the-last-deletion-is-not-reported",
        "of the objects of a deleted definition a watch does not report the last",
    )
    .breaks(BREAKS, CAUGHT)
    .events(|request, events| {
        if long(request).is_some() && events.len() > 1 {
            events.pop();
        }
    }),
    fault(
        "objects-of-deleted-definitions-are-changed",
        "the objects of a deleted definition are reported as modified first",
    )
    .breaks(BREAKS, CAUGHT)
    .events(|request, events| {
        if long(request).is_some() {
            let changed = |event: &Value| json!({ "type": "MODIFIED", "object": event["object"] });
            *events = events.iter().flat_map(|event| [changed(event), event.clone()]).collect();
        }
    }),
    fault(
        "deletions-of-definitions-ignore-selectors",
        "a watch reports all objects of a deleted definition, whatever it selects",
    )
    .breaks(BREAKS, CAUGHT)
    .requests(|request| {
        if long(request).is_some() {
            set_parameter(request, "labelSelector", None);
        }
    }),
];
