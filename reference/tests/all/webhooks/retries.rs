//! Retries, redirects and time limits (CONV-008).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crdible_reference::{Options, WebhookCall, WebhookError, Webhooks};
use http::{HeaderName, HeaderValue, Method, Response, StatusCode};
use rstest::rstest;

use super::hook::{Answered, FAILED, Hook, at_v1, at_v2, converted, ok, with_a, with_a_in_view};
use crate::support::{THING_V2, THINGS, THINGS_V2, Target};

#[expect(clippy::unnecessary_wraps, reason = "behaviours return it")]
fn with_header(code: u16, name: &'static str, value: &'static str) -> Answered {
    let mut response = Response::new(bytes::Bytes::new());
    *response.status_mut() = StatusCode::from_u16(code).unwrap();
    response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    Ok(response)
}

#[rstest]
#[case::busy(429)]
#[case::down(503)]
#[case::failed(500)]
fn conv_008_a_webhook_may_ask_for_another_try(#[case] code: u16) {
    let (target, hook) = with_a_in_view();
    let count = Arc::new(AtomicUsize::new(0));
    hook.answer(move |_, right| {
        if count.fetch_add(1, Ordering::SeqCst) < 5 { with_header(code, "retry-after", "0") } else { ok(&right) }
    });
    assert_eq!(target.get(THING_V2).code, 200);
}

#[test]
fn conv_008_ten_times_at_most() {
    let (target, hook) = with_a_in_view();
    hook.answer(|_, _| with_header(429, "retry-after", "0"));
    hook.take_calls();
    let answer = target.get(THING_V2);
    let expected = "the server has received too many requests and has asked us to try again later";
    assert_eq!((answer.code, answer.message()), (500, format!("{FAILED}{expected}").as_str()));
    assert_eq!(hook.take_calls().len(), 11);
    hook.answer(|_, _| with_header(400, "retry-after", "0"));
    target.get(THING_V2);
    assert_eq!(hook.take_calls().len(), 1, "only for errors of the server");
}

/// A server that calls these webhooks, with the thing `a`.
fn with_a_behind<W: Webhooks + 'static>(webhooks: &Arc<W>) -> Target {
    let webhooks = Arc::clone(webhooks) as Arc<dyn Webhooks>;
    let target = Target::with_options(Options { webhooks, ..Options::default() }).having(&converted());
    target.create(THINGS, &at_v1("a", "h"));
    target
}

/// A webhook behind a redirect.
struct Moved {
    code: u16,
    methods: Mutex<Vec<Method>>,
}

impl Webhooks for Moved {
    fn call(&self, call: &WebhookCall<'_>) -> Answered {
        self.methods.lock().unwrap().push(call.method.clone());
        if call.url.contains("/there") {
            return Hook::new().call(call);
        }
        with_header(self.code, "location", "/there?x")
    }
}

#[rstest]
#[case::temporary(307, 200)]
#[case::permanent(308, 200)]
#[case::found(302, 500)]
fn conv_008_redirects_are_followed(#[case] code: u16, #[case] expected: u16) {
    let moved = Arc::new(Moved { code, methods: Mutex::default() });
    let target = with_a_behind(&moved);
    assert_eq!(target.get(THING_V2).code, expected);
    let second = if code == 302 { Method::GET } else { Method::POST };
    let methods = moved.methods.lock().unwrap();
    assert!(methods.contains(&second), "{methods:?}");
}

#[test]
fn conv_008_redirects_end() {
    let (target, hook) = with_a();
    hook.answer(|_, _| with_header(307, "location", "https://hook.invalid/again"));
    let refused = target.get(THING_V2);
    assert!(refused.message().ends_with("stopped after 10 redirects"), "{refused:?}");
}

/// A webhook that takes so long if this version is wanted.
fn slow_for(version: &'static str, time: Duration) -> (Target, Hook) {
    let (target, hook) = with_a_in_view();
    hook.answer(move |review, right| {
        if review["request"]["desiredAPIVersion"].as_str().unwrap().ends_with(version) {
            std::thread::sleep(time);
        }
        ok(&right)
    });
    (target, hook)
}

#[test]
fn conv_008_the_time_limit_of_a_request_counts() {
    let (target, _hook) = slow_for("v2", Duration::from_millis(600));
    let begun = Instant::now();
    let answer = target.get(&format!("{THING_V2}?timeout=200ms"));
    assert_eq!((answer.code, answer.reason()), (504, "Timeout"), "{answer:?}");
    assert!(begun.elapsed() >= Duration::from_millis(200));
    assert_eq!(target.get(&format!("{THING_V2}?timeout=20s")).code, 200);
}

#[test]
fn conv_008_a_late_conversion_to_the_storage_version_stores_nothing() {
    let (target, _hook) = slow_for("v1", Duration::from_millis(600));
    assert_eq!(target.post(&format!("{THINGS_V2}?timeout=200ms"), &at_v2("b", "h")).code, 504);
    assert_eq!(target.get(&format!("{THINGS}/b")).code, 404);
    // The conversion to the storage version needs some of the time, too.
    let (target, _hook) = slow_for("v2", Duration::from_secs(2));
    assert_eq!(target.post(&format!("{THINGS_V2}?timeout=2s"), &at_v2("b", "h")).code, 504);
    assert_eq!(target.get(&format!("{THINGS}/b")).code, 200);
}

#[test]
fn conv_008_a_call_has_a_time_limit() {
    struct Limits(Mutex<Vec<Duration>>);
    impl Webhooks for Limits {
        fn call(&self, call: &WebhookCall<'_>) -> Answered {
            self.0.lock().unwrap().push(call.time_limit);
            Err(WebhookError::TimedOut)
        }
    }
    let limits = Arc::new(Limits(Mutex::default()));
    let target = with_a_behind(&limits);
    let expected = "Post \"https://hook.invalid/convert?timeout=30s\": context deadline exceeded";
    assert_eq!(target.get(THING_V2).message(), format!("{FAILED}{expected}"));
    let limit = *limits.0.lock().unwrap().last().unwrap();
    assert!(limit > Duration::from_secs(29) && limit <= Duration::from_secs(30), "{limit:?}");
}
