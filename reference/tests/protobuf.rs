//! Request bodies in protobuf (REST-080), as client-go 0.36.3 encodes them; the same bodies were sent to kube-apiserver
//! 1.36.3.

mod support;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rstest::rstest;
use serde_json::{Value, json};
use support::{Answer, Target};

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
const NAMESPACES: &str = "/api/v1/namespaces";
const CORE: &str = "/api/v1/namespaces/default/events";
const EVENTS: &str = "/apis/events.k8s.io/v1/namespaces/default/events";

/// The namespace `mine` with a label, a finalizer and an owner that is a controller.
const NAMESPACE: &str = "azhzAAoPCgJ2MRIJTmFtZXNwYWNlEkAKOAoEbWluZRIAGgAiACoAMgA4AEIAWgYKAWESAWJqEwoFVGhpbmcaAW4iAXUqAnYxMAFyBWEuYi9jEgAaAgoAGgAiAA==";
/// The event `a` with a count of 3.
const CORE_EVENT: &str = "azhzAAoLCgJ2MRIFRXZlbnQShgEKGAoBYRIAGgdkZWZhdWx0IgAqADIAOABCABIxCgVUaGluZxIHZGVmYXVsdBoCdGgiAXUqDmV4YW1wbGUuY29tL3YxMgA6BnNwZWMueBoDV2h5IgVoZWxsbyoFCgFjEgAyCAiA8tbKBhAAOggIgPLWygYQAEADSgZOb3JtYWxSAGIAcgB6ABoAIgA=";
/// An event with a generated name, a series and an empty related object.
const EVENT: &str = "azhzAAoZChBldmVudHMuazhzLmlvL3YxEgVFdmVudBKiAQoSCgASAmctGgAiACoAMgA4AEIAEgsIgPLWygYQgJTvOhoPCAISCwiA8tbKBhCAlO86IgNhL2IqAWkyA0FjdDoDV2h5QjEKBVRoaW5nEgdkZWZhdWx0GgJ0aCIBdSoOZXhhbXBsZS5jb20vdjEyADoGc3BlYy54Sg4KABIAGgAiACoAMgA6AFIEbm90ZVoHV2FybmluZ2IECgASAGoAcgB4ABoAIgA=";
/// Background deletion without a grace period, as a dry run, with the precondition that the revision is `x`.
const OPTIONS: &str = "azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxIYCAASAxIBeCIKQmFja2dyb3VuZCoDQWxsGgAiAA==";

fn bytes(text: &str) -> Vec<u8> {
    STANDARD.decode(text).expect("base64")
}

fn send(target: &Target, method: &str, path: &str, body: Vec<u8>) -> Answer {
    target.send(
        method,
        path,
        &[("content-type", PROTOBUF), ("accept", "application/vnd.kubernetes.protobuf,application/json")],
        body,
    )
}

/// The values at these pointers in a response.
fn at(answer: &Answer, pointers: &[&str]) -> Vec<Value> {
    pointers.iter().map(|pointer| answer.body.pointer(pointer).cloned().unwrap_or_default()).collect()
}

#[test]
fn rest_080_a_namespace_is_created_and_deleted() {
    let target = Target::new();
    let created = send(&target, "POST", NAMESPACES, bytes(NAMESPACE));
    assert_eq!((created.code, &created.body["metadata"]["name"]), (201, &json!("mine")), "{created:?}");
    let owner = json!([{"apiVersion": "v1", "kind": "Thing", "name": "n", "uid": "u", "controller": true}]);
    let labels = json!({"a": "b", "kubernetes.io/metadata.name": "mine"});
    let pointers =
        ["/metadata/labels", "/metadata/finalizers", "/metadata/ownerReferences", "/spec", "/metadata/generation"];
    assert_eq!(
        at(&created, &pointers),
        [labels, json!(["a.b/c"]), owner, json!({"finalizers": ["kubernetes"]}), Value::Null]
    );
    let deleted = send(&target, "DELETE", &format!("{NAMESPACES}/mine"), bytes(OPTIONS));
    assert_eq!(deleted.code, 409, "its revision is not x");
}

#[test]
fn rest_080_events_are_created() {
    let target = Target::new();
    let created = send(&target, "POST", CORE, bytes(CORE_EVENT));
    assert_eq!((created.code, created.warnings.len()), (201, 0), "{created:?}");
    let involved = json!({
        "kind": "Thing", "namespace": "default", "name": "th", "uid": "u", "apiVersion": "example.com/v1", "fieldPath": "spec.x",
    });
    let pointers = ["/involvedObject", "/source", "/firstTimestamp", "/count", "/eventTime", "/series", "/message"];
    let second = json!("2026-01-01T00:00:00Z");
    let source = json!({"component": "c"});
    assert_eq!(
        at(&created, &pointers),
        [involved.clone(), source, second, json!(3), Value::Null, Value::Null, json!("hello")]
    );
    assert_eq!(send(&target, "PUT", &format!("{CORE}/a"), bytes(CORE_EVENT)).code, 200);

    let created = send(&target, "POST", EVENTS, bytes(EVENT));
    let moment = json!("2026-01-01T00:00:00.123456Z");
    let series = json!({"count": 2, "lastObservedTime": moment});
    let pointers =
        ["/regarding", "/series", "/eventTime", "/related", "/metadata/generateName", "/deprecatedFirstTimestamp"];
    assert_eq!(at(&created, &pointers), [involved, series, moment, json!({}), json!("g-"), Value::Null], "{created:?}");
}

#[rstest]
#[case::other_version("POST", CORE, bytes(EVENT), 400)]
#[case::other_kind("POST", CORE, bytes(NAMESPACE), 400)]
#[case::other_kind_of_options("DELETE", EVENTS, bytes(NAMESPACE), 400)]
#[case::json("POST", CORE, b"{}".to_vec(), 400)]
#[case::nothing("POST", CORE, Vec::new(), 400)]
#[case::no_envelope("POST", CORE, b"k8s\0".to_vec(), 400)]
#[case::invalid_message("POST", CORE, b"k8s\0\xff\xff".to_vec(), 400)]
#[case::truncated("POST", CORE, bytes(CORE_EVENT)[..60].to_vec(), 400)]
// Upstream accepts any bytes as a string, and refuses the name with another code.
#[case::invalid_utf8("POST", NAMESPACES, b"k8s\0\x12\x05\x0a\x03\x0a\x01\xff".to_vec(), 400)]
#[case::json_options("DELETE", CORE, b"{}".to_vec(), 400)]
#[case::no_body("DELETE", CORE, Vec::new(), 200)]
#[case::patch("PATCH", "/api/v1/namespaces/default", bytes(NAMESPACE), 415)]
#[case::definitions("POST", support::DEFINITIONS, bytes(NAMESPACE), 415)]
#[case::instances("POST", support::THINGS, bytes(CORE_EVENT), 415)]
fn rest_080_invalid_messages_are_refused(
    #[case] method: &str,
    #[case] path: &str,
    #[case] body: Vec<u8>,
    #[case] code: u16,
) {
    let target = Target::with(&support::things());
    let answer = send(&target, method, path, body);
    assert_eq!(answer.code, code, "{answer:?}");
}

#[test]
fn rest_080_brackets_in_messages_do_not_nest() {
    let target = Target::new();
    let mut message = b"k8s\0\x12\xcf\x01\x0a\x04\x0a\x02nn\x22\xc6\x01".to_vec();
    message.extend([b'['; 198]);
    let created = send(&target, "POST", CORE, message);
    assert_eq!((created.code, &created.body["message"]), (201, &json!("[".repeat(198))), "{created:?}");
}
