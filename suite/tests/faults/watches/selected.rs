//! Faults in watches with selectors.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::present;
use crate::{
    layer::{events, with_events},
    sent::{is_watch, query_contains, set_parameter},
    table::{Fault, fault, obvious_fault},
};

const BREAKS: &[&str] = &["INV-056", "REST-062"];
const CAUGHT: &[&str] = &["inv-056-selectors"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("leaves-selections-silently", "an object that ceases to match a selector is not reported")
        .breaks(BREAKS, CAUGHT)
        .around(act!(|server, request| {
            if !is_watch(&request) || !query_contains(&request, "elector=") {
                return server.pass(request).await;
            }
            let answered = server.pass(request.clone()).await?;
            let mut left = Vec::new();
            for event in events(answered.body()) {
                if event["type"] == "DELETED" && !present(server, &request, &event).await?.is_null() {
                    left.push(event);
                }
            }
            Ok(with_events(answered, |events| events.retain(|event| !left.contains(event))))
        })),
    fault("leaves-selections-as-it-became", "an object that ceases to match a selector is reported as it is now")
        .breaks(BREAKS, CAUGHT)
        .around(act!(|server, request| {
            if !is_watch(&request) || !query_contains(&request, "elector=") {
                return server.pass(request).await;
            }
            let answered = server.pass(request.clone()).await?;
            let mut now: BTreeMap<String, Value> = BTreeMap::new();
            for event in events(answered.body()) {
                let object = present(server, &request, &event).await?;
                if event["type"] == "DELETED" && !object.is_null() {
                    now.insert(event["object"]["metadata"]["name"].to_string(), object);
                }
            }
            Ok(with_events(answered, |events| {
                for event in events.iter_mut().filter(|event| event["type"] == "DELETED") {
                    if let Some(object) = now.get(&event["object"]["metadata"]["name"].to_string()) {
                        event["object"]["spec"] = object["spec"].clone();
                        event["object"]["metadata"]["labels"] = object["metadata"]["labels"].clone();
                    }
                }
            }))
        })),
    fault(
        "leaves-selections-at-the-old-revision",
        "what ceases to match has the resourceVersion that it had when it matched",
    )
    .breaks(BREAKS, CAUGHT)
    .events(|request, events| {
        if query_contains(request, "elector=") {
            let mut last: BTreeMap<String, Value> = BTreeMap::new();
            for event in events {
                let metadata = &mut event["object"]["metadata"];
                let before = last.insert(metadata["name"].to_string(), metadata["resourceVersion"].clone());
                if let (true, Some(before)) = (event["type"] == "DELETED", before) {
                    event["object"]["metadata"]["resourceVersion"] = before;
                }
            }
        }
    }),
    fault(
        "enters-selections-as-modified",
        "an object that begins to match after it was changed is reported as modified",
    )
    .breaks(BREAKS, CAUGHT)
    .events(|request, events| {
        if query_contains(request, "elector=") {
            for event in events {
                let is_changed = event["object"]["metadata"]["generation"] != 1;
                if is_changed && event["type"] == "ADDED" {
                    event["type"] = json!("MODIFIED");
                }
            }
        }
    }),
    obvious_fault("watches-all-fields", "a watch ignores field selectors").breaks(BREAKS, CAUGHT).requests(|request| {
        if is_watch(request) {
            set_parameter(request, "fieldSelector", None);
        }
    }),
];
