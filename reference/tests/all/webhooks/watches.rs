//! Watches at another version than the stored one (CONV-003, CONV-023, CONV-025).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use crdible_reference::{Content, Options, Watch};
use http::Request;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::hook::{HandClock, V1, V2, at_v1, converted, server, server_with};
use crate::support::Target;

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(300);

/// An open watch that is read event by event.
struct Events {
    watch: Watch,
    lines: Vec<Value>,
}

fn open(target: &Target, path: &str) -> Events {
    let (head, content) = target.0.open(Request::get(path).body(Bytes::new()).unwrap()).into_parts();
    assert_eq!(head.status, 200, "{content:?}");
    let Content::Events(watch) = content else { panic!("a watch is a stream: {content:?}") };
    Events { watch: *watch, lines: Vec::new() }
}

impl Events {
    async fn next(&mut self) -> Option<Value> {
        if self.lines.is_empty() {
            let events = timeout(LONG, self.watch.next()).await.expect("an event in time")?;
            self.lines = serde_json::Deserializer::from_slice(&events).into_iter().map(Result::unwrap).collect();
        }
        Some(self.lines.remove(0))
    }

    /// The type, the name and the spec of the next event.
    async fn summary(&mut self) -> (String, String, Value) {
        let event = self.next().await.expect("the watch goes on");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&event["type"]), text(&event["object"]["metadata"]["name"]), event["object"]["spec"].clone())
    }

    async fn is_silent(&mut self) -> bool {
        self.lines.is_empty() && timeout(SHORT, self.watch.next()).await.is_err()
    }
}

fn event(kind: &str, name: &str, host: &str) -> (String, String, Value) {
    (kind.to_owned(), name.to_owned(), json!({ "hostname": host }))
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_003_events_are_converted() {
    let (target, _hook) = server();
    target.post(V1, &at_v1("a", "h"));
    let since = target.get(V2).version();
    let mut events = open(&target, &format!("{V2}?watch=1&resourceVersion={since}"));
    let mut from_the_start = open(&target, &format!("{V2}?watch=1"));
    target.post(V1, &at_v1("b", "i"));
    target.merge(&format!("{V2}/b"), &json!({ "spec": { "hostname": "j" } }));
    target.delete(&format!("{V1}/b"));
    assert_eq!(from_the_start.summary().await, event("ADDED", "a", "h"));
    for events in [&mut events, &mut from_the_start] {
        assert_eq!(events.summary().await, event("ADDED", "b", "i"));
        assert_eq!(events.summary().await, event("MODIFIED", "b", "j"));
        assert_eq!(events.summary().await, event("DELETED", "b", "j"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_023_events_come_when_the_webhook_is_back() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    let since = target.get(V2).version();
    let mut events = open(&target, &format!("{V2}?watch=1&resourceVersion={since}"));
    let mut stored = open(&target, &format!("{V1}?watch=1&resourceVersion={since}"));
    hook.break_down();
    target.post(V1, &at_v1("b", "i"));
    target.delete(&format!("{V1}/b"));
    target.post(V1, &at_v1("c", "j"));
    assert!(events.is_silent().await);
    for expected in ["b", "b", "c"] {
        assert_eq!(stored.summary().await.1, expected, "the stored version is not disturbed");
    }
    let mut later = open(&target, &format!("{V2}?watch=1&resourceVersion={since}"));
    assert!(later.is_silent().await);
    assert_eq!(open(&target, &format!("{V2}?watch=1&resourceVersion=0")).summary().await, event("ADDED", "a", "h"));
    hook.repair();
    for events in [&mut events, &mut later] {
        assert_eq!(events.summary().await, event("ADDED", "b", "i"));
        assert_eq!(events.summary().await, event("DELETED", "b", "i"));
        assert_eq!(events.summary().await, event("ADDED", "c", "j"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_023_a_watch_of_the_current_state_times_out() {
    let (target, hook) = server();
    assert_eq!(target.get(V2).code, 200);
    hook.break_down();
    target.post(V1, &at_v1("a", "h"));
    let answer = target.0.respond(Request::get(format!("{V2}?watch=1")).body(Bytes::new()).unwrap()).await;
    let Content::Whole(body) = answer.into_body() else { panic!("a single event") };
    let event: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&event["type"], &event["object"]["code"]), (&json!("ERROR"), &json!(504)));
    assert!(event["object"]["message"].as_str().unwrap().starts_with("Timeout: Too large resource version"));
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_023_after_half_a_minute_watches_end_without_an_error() {
    let clock = HandClock::new();
    let options = Options { clock: Arc::new(clock.clone()), ..Options::default() };
    let (target, hook) = server_with(&converted(), options);
    let since = target.get(V2).version();
    let mut events = open(&target, &format!("{V2}?watch=1&resourceVersion={since}"));
    hook.break_down();
    target.post(V1, &at_v1("a", "h"));
    assert!(hook.is_called_again());
    clock.turn(31);
    assert_eq!(events.next().await, None);
    let answer = target.get(&format!("{V2}?watch=1"));
    assert_eq!((answer.code, answer.reason()), (429, "TooManyRequests"));
    hook.repair();
    assert!(super::hook::eventually(|| target.get(V2).code == 200));
    let mut expired = open(&target, &format!("{V2}?watch=1&resourceVersion={since}"));
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
        super::hook::ok(&right)
    });
    let since = target.get(V2).version();
    let mut events = open(&target, &format!("{V2}?watch=1&labelSelector=l&resourceVersion={since}"));
    target.post(V1, &at_v1("a", "hidden"));
    target.merge(&format!("{V1}/a"), &json!({ "spec": { "host": "shown" } }));
    target.merge(&format!("{V1}/a"), &json!({ "spec": { "host": "gone" } }));
    assert_eq!(events.summary().await, event("ADDED", "a", "shown"));
    assert_eq!(events.summary().await, event("DELETED", "a", "shown"));
}

#[tokio::test(flavor = "multi_thread")]
async fn conv_025_a_change_of_the_webhook_ends_watches_at_all_versions() {
    let (target, _hook) = server();
    let since = target.get(V2).version();
    let mut watches = [V1, V2].map(|path| open(&target, &format!("{path}?watch=1&resourceVersion={since}")));
    let url =
        json!({ "spec": { "conversion": { "webhook": { "clientConfig": { "url": "https://other.invalid" } } } } });
    assert_eq!(target.merge(super::hook::DEFINITION, &url).code, 200);
    for events in &mut watches {
        assert_eq!(events.next().await, None);
    }
}
