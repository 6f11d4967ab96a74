//! Events (REST-078, REST-079). The expected results are those of kube-apiserver 1.36.3.

mod forms;
mod life;
mod reading;
mod writes;

use serde_json::{Value, json};

use crate::support::Answer;

pub(crate) const CORE: &str = "/api/v1/namespaces/default/events";
pub(crate) const EVENTS: &str = "/apis/events.k8s.io/v1/namespaces/default/events";

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

pub(crate) fn involved(namespace: &str) -> Value {
    json!({"involvedObject": {"namespace": namespace}})
}
