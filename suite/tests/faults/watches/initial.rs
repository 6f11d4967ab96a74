//! Faults in the events with which a watch begins.

use serde_json::{Value, json};

use crate::{
    sent::{is_watch, query_contains, set_parameter},
    table::{Fault, fault, obvious_fault},
};

const BREAKS: &[&str] = &["REST-060", "REST-061", "REST-062", "REST-064", "FSEL-009"];
const CAUGHT: &[&str] = &["rest-061-initial-events"];
/// Breaks only what younger servers promise.
const YOUNGER: &[&str] = &["REST-060", "REST-061", "REST-062", "REST-064/e2"];

/// The annotation of the bookmark that ends the initial events.
const END: &str = "/object/metadata/annotations/k8s.io~1initial-events-end";

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("begins-with-nothing", "a watch without resourceVersion reports no object that exists")
        .breaks(BREAKS, CAUGHT)
        .blamed(&["REST-060", "REST-061"])
        .events(|request, events| {
            if !query_contains(request, "resourceVersion=") {
                events.retain(|event| event["type"] != "ADDED");
            }
        }),
    fault("begins-in-another-order", "a watch reports the objects that exist in the opposite order of a list")
        .breaks(BREAKS, CAUGHT)
        .blamed(&["REST-060", "REST-061"])
        .events(|request, events| {
            if !query_contains(request, "resourceVersion=") {
                let (added, others): (Vec<Value>, Vec<Value>) =
                    events.drain(..).partition(|event| event["type"] == "ADDED");
                events.extend(added.into_iter().rev().chain(others));
            }
        }),
    fault("begins-with-all", "the objects that exist are reported whether or not they match the selector")
        .breaks(BREAKS, CAUGHT)
        .blamed(&["REST-060", "REST-061", "REST-062"])
        .requests(|request| {
            if is_watch(request) && !query_contains(request, "resourceVersion=") {
                set_parameter(request, "labelSelector", None);
            }
        }),
    obvious_fault("marks-no-end", "no bookmark marks the end of the initial events")
        .breaks(YOUNGER, CAUGHT)
        .blamed(&["REST-060", "REST-061", "REST-064"])
        .events(|_, events| {
            events.retain(|event| event.pointer(END).is_none());
        }),
    fault("marks-the-end-first", "the bookmark that marks the end of the initial events comes before them")
        .breaks(YOUNGER, CAUGHT)
        .blamed(&["REST-060", "REST-061", "REST-064"])
        .events(|_, events| events.sort_by_key(|event| event.pointer(END).is_none())),
    fault("sends-initial-events-unasked", "sendInitialEvents needs no resourceVersionMatch")
        .breaks(&["REST-064/e2"], &["rest-064-refused-options"])
        .requests(|request| {
            if is_watch(request)
                && query_contains(request, "sendInitialEvents")
                && !query_contains(request, "resourceVersionMatch")
            {
                set_parameter(request, "resourceVersionMatch", Some("NotOlderThan"));
            }
        }),
    fault("begins-at-zero-with-nothing", "a watch from the resourceVersion 0 reports no object that exists")
        .breaks(BREAKS, CAUGHT)
        .blamed(&["REST-060", "REST-061"])
        .events(|request, events| {
            if query_contains(request, "resourceVersion=0") {
                events.retain(|event| event["type"] != "ADDED");
            }
        }),
    fault("reports-bookmarks-as-objects", "what marks the end of the initial events is called an added object")
        .breaks(YOUNGER, CAUGHT)
        .blamed(&["REST-060", "REST-061", "REST-064"])
        .events(|_, events| {
            for event in events {
                if event.pointer(END).is_some() {
                    event["type"] = json!("ADDED");
                }
            }
        }),
];
