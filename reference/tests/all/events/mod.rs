//! Events (REST-078, REST-079). The expected results are those of kube-apiserver 1.36.3.

mod forms;
mod life;
mod reading;
mod writes;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crdible_reference::Clock;
use serde_json::{Value, json};

use crate::support::{Answer, Target};

pub(crate) const CORE: &str = "/api/v1/namespaces/default/events";
pub(crate) const EVENTS: &str = "/apis/events.k8s.io/v1/namespaces/default/events";
pub(crate) const STRATEGIC: &str = "application/strategic-merge-patch+json";
pub(crate) const TABLE: &str = "application/json;as=Table;g=meta.k8s.io;v=v1";

/// An event as event recorders of the core group write it.
pub(crate) fn core(name: &str) -> Value {
    json!({
        "metadata": {"name": name}, "reason": "Why", "message": " hello ", "type": "Normal", "count": 1,
        "involvedObject": {"kind": "Thing", "namespace": "default", "name": "th", "uid": "u", "fieldPath": "spec.x"},
        "source": {"component": "comp", "host": "h"},
        "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:00:01Z",
    })
}

/// An event as event recorders of `events.k8s.io` write it.
pub(crate) fn event(name: &str) -> Value {
    json!({
        "metadata": {"name": name}, "reason": "Why", "note": "hello", "type": "Normal", "action": "Act",
        "regarding": {"kind": "Thing", "namespace": "default", "name": "th"},
        "eventTime": "2026-01-01T00:00:00.000000Z",
        "reportingController": "example.com/ctl", "reportingInstance": "pod-1",
    })
}

/// The event with other fields; null removes a field.
pub(crate) fn with(mut event: Value, fields: &Value) -> Value {
    for (name, value) in fields.as_object().expect("fields") {
        match value {
            Value::Null => drop(event.as_object_mut().expect("an event").remove(name)),
            value => event[name] = value.clone(),
        }
    }
    event
}

pub(crate) fn without_metadata(answer: &Answer) -> Value {
    let mut body = answer.body.clone();
    body.as_object_mut().expect("an object").remove("metadata");
    body
}

pub(crate) fn created(target: &Target, path: &str, event: &Value) -> Answer {
    let answer = target.post(path, event);
    assert_eq!(answer.code, 201, "{answer:?}");
    answer
}
pub(crate) fn involved(namespace: &str) -> Value {
    json!({"involvedObject": {"namespace": namespace}})
}

/// 2026-01-01.
pub(crate) const NEW_YEAR: u64 = 1_767_225_600;

/// A clock that only advances when the test advances it.
pub(crate) struct TestClock(AtomicU64);

impl TestClock {
    pub(crate) fn at(seconds: u64) -> Arc<Self> {
        Arc::new(Self(AtomicU64::new(seconds)))
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }
}

impl Clock for TestClock {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::Relaxed))
    }
}
