//! Lists while a webhook is down and when it comes back (CONV-022).

use std::sync::Arc;

use crdible_reference::Options;
use serde_json::json;

use super::hook::{Hook, at_v1, at_v2, converted, eventually, ok, server, server_with, status, with_a};
use crate::clock::{NEW_YEAR, TestClock};
use crate::support::{THINGS, THINGS_DEFINITION, THINGS_V2, Target, With};

#[test]
fn conv_022_what_was_converted_is_listed_without_the_webhook() {
    let (target, hook) = server();
    for name in ["a", "b", "c"] {
        target.post(THINGS, &at_v1(name, "h"));
    }
    assert_eq!(target.get(THINGS_V2).names(), ["a", "b", "c"]);
    hook.break_down();
    assert_eq!(target.get(THINGS_V2).names(), ["a", "b", "c"]);
    let page = target.get(&format!("{THINGS_V2}?limit=2"));
    assert_eq!((page.names(), &page.body["metadata"]["remainingItemCount"]), (vec!["a", "b"], &json!(1)));
    let token = page.token();
    assert_eq!(target.get(&format!("{THINGS_V2}?limit=2&continue={token}")).names(), ["c"]);
    assert_eq!(target.get(&format!("{THINGS}?limit=2&continue={token}")).names(), ["c"], "VER-020");
}

#[test]
fn conv_022_selectors_see_the_converted_object() {
    let definition = converted().with("/spec/versions/1/selectableFields", json!([{ "jsonPath": ".spec.hostname" }]));
    let (target, hook) = server_with(&definition, Options::default());
    hook.answer(|review, mut right| {
        let object = &mut right["response"]["convertedObjects"][0];
        if review["request"]["desiredAPIVersion"] == "example.com/v2" && object["metadata"]["name"] == "a" {
            object["metadata"]["labels"] = json!({ "shown": "yes" });
        }
        ok(&right)
    });
    target.post(THINGS, &at_v1("a", "h"));
    target.post(THINGS, &at_v1("b", "i"));
    assert_eq!(target.get(&format!("{THINGS_V2}?labelSelector=shown%3Dyes")).names(), ["a"]);
    assert_eq!(target.get(&format!("{THINGS}?labelSelector=shown%3Dyes")).names(), Vec::<&str>::new());
    assert_eq!(target.get(&format!("{THINGS_V2}?fieldSelector=spec.hostname%3Di")).names(), ["b"]);
}

/// A server with a clock in hand, whose view of `v2` is ready, and where a new object cannot be converted.
fn stalled() -> (Target, Hook, Arc<TestClock>) {
    let clock = TestClock::at(NEW_YEAR);
    let (target, hook) = server_with(&converted(), clock.options());
    target.post(THINGS, &at_v1("a", "h"));
    assert_eq!(target.get(THINGS_V2).names(), ["a"]);
    hook.break_down();
    target.post(THINGS, &at_v1("b", "i"));
    assert!(hook.is_called_again());
    (target, hook, clock)
}

#[test]
fn conv_022_a_new_object_that_cannot_be_converted_fails_current_lists() {
    let (target, hook, _clock) = stalled();
    let list = target.get(THINGS_V2);
    assert_eq!((list.code, list.reason()), (500, ""), "{list:?}");
    assert_eq!(target.get(&format!("{THINGS_V2}?resourceVersion=0")).names(), ["a"]);
    let newer = target.get(THINGS).version();
    let late = target.get(&format!("{THINGS_V2}?resourceVersion={newer}"));
    assert_eq!((late.code, late.reason(), &late.body["details"]["retryAfterSeconds"]), (504, "Timeout", &json!(1)));
    assert_eq!(target.get(THINGS).names(), ["a", "b"]);
    hook.repair();
    assert_eq!(target.get(THINGS_V2).names(), ["a", "b"]);
}

#[test]
fn conv_022_a_page_without_the_bad_object_is_listed() {
    let (target, hook, _clock) = stalled();
    hook.answer(|review, right| match review["request"]["objects"][0]["metadata"]["name"].as_str() {
        Some("b") => status(500, ""),
        _ => ok(&right),
    });
    assert_eq!(target.get(&format!("{THINGS_V2}?limit=1")).names(), ["a"]);
    assert_eq!(target.get(THINGS_V2).code, 500);
}

#[test]
fn conv_022_after_half_a_minute_lists_are_refused() {
    let (target, hook, clock) = stalled();
    clock.pass_seconds(31);
    assert!(eventually(|| target.get(&format!("{THINGS_V2}?resourceVersion=0")).code == 429));
    let expected = "storage is (re)initializing: failed to list example.com/v2, Kind=Thing: conversion webhook for";
    assert!(eventually(|| target.get(THINGS_V2).message().starts_with(expected)));
    let refused = target.get(THINGS_V2);
    assert_eq!((refused.reason(), &refused.body["details"]), ("TooManyRequests", &json!({ "retryAfterSeconds": 1 })));
    clock.pass_seconds(31);
    assert_eq!(target.get(THINGS_V2).body["details"], json!({ "retryAfterSeconds": 6 }));
    assert_eq!(target.get(&format!("{THINGS_V2}?limit=5")).code, 500, "from the store");
    assert_eq!(target.get(&format!("{THINGS_V2}?limit=5&labelSelector=x")).code, 429);
    hook.repair();
    assert!(eventually(|| target.get(THINGS_V2).names() == ["a", "b"]));
}

#[test]
fn conv_022_lists_are_refused_if_nothing_could_ever_be_converted() {
    let (target, hook) = with_a();
    hook.break_down();
    target.merge(THINGS_DEFINITION, &json!({ "spec": { "names": { "shortNames": ["th"] } } }));
    assert!(eventually(|| target.get(THINGS_V2).code == 429));
    assert_eq!(target.get(&format!("{THINGS_V2}?limit=1")).code, 500);
    hook.repair();
    assert!(eventually(|| target.get(THINGS_V2).names() == ["a"]));
}

#[test]
fn conv_022_there_may_be_nothing_to_convert() {
    let (target, hook) = server();
    hook.break_down();
    assert_eq!(target.get(THINGS_V2).code, 200);
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).code, 500);
    assert_eq!(target.get(THINGS_V2).names(), Vec::<&str>::new());
}

#[test]
fn many_objects_are_converted_at_once() {
    let (target, hook) = server();
    hook.break_down();
    for number in 0..200 {
        assert_eq!(target.post(THINGS, &at_v1(&format!("o{number:03}"), "h")).code, 201);
    }
    hook.repair();
    target.merge(THINGS_DEFINITION, &json!({ "spec": { "names": { "shortNames": ["th"] } } }));
    let list = target.get(THINGS_V2);
    assert_eq!((list.code, list.names().len()), (200, 200));
    assert!(list.body["items"].as_array().unwrap().iter().all(|item| item["spec"] == json!({ "hostname": "h" })));
}
