//! Watches at another version than the stored one (CONV-003, CONV-023, CONV-025).

use std::time::Duration;

use bytes::Bytes;
use crdible_reference::Content;
use http::Request;
use serde_json::{Value, json};

use super::hook::{at_v1, converted, eventually, ok, server, server_with, with_a};
use crate::clock::{NEW_YEAR, TestClock};
use crate::support::{THING, THINGS, THINGS_DEFINITION, THINGS_V2, With};
use crate::watching::{Events, open};

const SHORT: Duration = Duration::from_millis(300);

/// The type, the name and the host of the next event: `ADDED a h`.
async fn next(events: &mut Events) -> String {
    let (what, object) = events.next_object().await;
    format!("{what} {}", object["spec"]["hostname"].as_str().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_003_events_are_converted() {
    let (target, _hook) = with_a();
    let since = target.get(THINGS_V2).version();
    let mut events = open(&target, &format!("{THINGS_V2}?watch=1&resourceVersion={since}"));
    let mut from_the_start = open(&target, &format!("{THINGS_V2}?watch=1"));
    target.post(THINGS, &at_v1("b", "i"));
    target.merge(&format!("{THINGS_V2}/b"), &json!({ "spec": { "hostname": "j" } }));
    target.delete(&format!("{THINGS}/b"));
    assert_eq!(next(&mut from_the_start).await, "ADDED a h");
    for events in [&mut events, &mut from_the_start] {
        assert_eq!(next(events).await, "ADDED b i");
        assert_eq!(next(events).await, "MODIFIED b j");
        assert_eq!(next(events).await, "DELETED b j");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_023_events_come_when_the_webhook_is_back() {
    let (target, hook) = with_a();
    let since = target.get(THINGS_V2).version();
    let mut events = open(&target, &format!("{THINGS_V2}?watch=1&resourceVersion={since}"));
    let mut stored = open(&target, &format!("{THINGS}?watch=1&resourceVersion={since}"));
    hook.break_down();
    target.post(THINGS, &at_v1("b", "i"));
    target.delete(&format!("{THINGS}/b"));
    target.post(THINGS, &at_v1("c", "j"));
    assert!(events.is_silent_for(SHORT).await);
    for expected in ["b", "b", "c"] {
        let (what, _) = stored.next_object().await;
        assert!(what.ends_with(expected), "{what}: the stored version is not disturbed");
    }
    let mut later = open(&target, &format!("{THINGS_V2}?watch=1&resourceVersion={since}"));
    assert!(later.is_silent_for(SHORT).await);
    let mut current = open(&target, &format!("{THINGS_V2}?watch=1&resourceVersion=0"));
    assert_eq!(next(&mut current).await, "ADDED a h");
    hook.repair();
    for events in [&mut events, &mut later] {
        assert_eq!(next(events).await, "ADDED b i");
        assert_eq!(next(events).await, "DELETED b i");
        assert_eq!(next(events).await, "ADDED c j");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_023_a_watch_of_the_current_state_times_out() {
    let (target, hook) = server();
    assert_eq!(target.get(THINGS_V2).code, 200);
    hook.break_down();
    target.post(THINGS, &at_v1("a", "h"));
    let answer = target.0.respond(Request::get(format!("{THINGS_V2}?watch=1")).body(Bytes::new()).unwrap()).await;
    let Content::Whole(body) = answer.into_body() else { panic!("a single event") };
    let event: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&event["type"], &event["object"]["code"]), (&json!("ERROR"), &json!(504)));
    assert!(event["object"]["message"].as_str().unwrap().starts_with("Timeout: Too large resource version"));
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_023_after_half_a_minute_watches_end_without_an_error() {
    let clock = TestClock::at(NEW_YEAR);
    let (target, hook) = server_with(&converted(), clock.options());
    let since = target.get(THINGS_V2).version();
    let mut events = open(&target, &format!("{THINGS_V2}?watch=1&resourceVersion={since}"));
    hook.break_down();
    target.post(THINGS, &at_v1("a", "h"));
    assert!(hook.is_called_again());
    clock.pass_seconds(31);
    assert_eq!(events.next().await, None);
    let answer = target.get(&format!("{THINGS_V2}?watch=1"));
    assert_eq!((answer.code, answer.reason()), (429, "TooManyRequests"));
    hook.repair();
    assert!(eventually(|| target.get(THINGS_V2).code == 200));
    let mut expired = open(&target, &format!("{THINGS_V2}?watch=1&resourceVersion={since}"));
    let event = expired.next().await.unwrap();
    assert_eq!((&event["type"], &event["object"]["code"]), (&json!("ERROR"), &json!(410)));
    assert_eq!(expired.next().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn rest_062_labels_that_a_webhook_adds_decide_about_events() {
    let (target, hook) = server();
    hook.answer(|_, mut right| {
        let object = &mut right["response"]["convertedObjects"][0];
        if object["spec"]["hostname"] == "shown" {
            object["metadata"]["labels"] = json!({ "l": "x" });
        }
        ok(&right)
    });
    let since = target.get(THINGS_V2).version();
    let mut events = open(&target, &format!("{THINGS_V2}?watch=1&labelSelector=l&resourceVersion={since}"));
    target.post(THINGS, &at_v1("a", "hidden"));
    target.merge(THING, &json!({ "spec": { "host": "shown" } }));
    target.merge(THING, &json!({ "spec": { "host": "gone" } }));
    assert_eq!(next(&mut events).await, "ADDED a shown");
    assert_eq!(next(&mut events).await, "DELETED a shown");
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_025_a_change_of_the_webhook_ends_watches_at_all_versions() {
    let (target, _hook) = server();
    let since = target.get(THINGS_V2).version();
    let mut watches = [THINGS, THINGS_V2].map(|path| open(&target, &format!("{path}?watch=1&resourceVersion={since}")));
    let url = json!({}).with("/spec/conversion/webhook/clientConfig/url", "https://other.invalid");
    assert_eq!(target.merge(THINGS_DEFINITION, &url).code, 200);
    for events in &mut watches {
        assert_eq!(events.next().await, None);
    }
}
