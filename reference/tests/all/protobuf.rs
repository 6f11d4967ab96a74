//! Request bodies in protobuf (REST-080), as client-go 0.36.3 encodes them; the same bodies were sent to kube-apiserver
//! 1.36.3.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rstest::rstest;
use serde_json::{Value, json};

use crate::events::{CORE, EVENTS};
use crate::support::{
    Answer, DEFINITIONS, JSON, NAMESPACES, PROTOBUF, THINGS, THINGS_DEFINITION, Target, With, things,
};

/// The namespace `mine` with a label, a finalizer and an owner that is a controller.
const NAMESPACE: &str = "azhzAAoPCgJ2MRIJTmFtZXNwYWNlEkAKOAoEbWluZRIAGgAiACoAMgA4AEIAWgYKAWESAWJqEwoFVGhpbmcaAW4iAXUqAnYxMAFyBWEuYi9jEgAaAgoAGgAiAA==";
/// The event `a` with a count of 3.
const CORE_EVENT: &str = "azhzAAoLCgJ2MRIFRXZlbnQShgEKGAoBYRIAGgdkZWZhdWx0IgAqADIAOABCABIxCgVUaGluZxIHZGVmYXVsdBoCdGgiAXUqDmV4YW1wbGUuY29tL3YxMgA6BnNwZWMueBoDV2h5IgVoZWxsbyoFCgFjEgAyCAiA8tbKBhAAOggIgPLWygYQAEADSgZOb3JtYWxSAGIAcgB6ABoAIgA=";
/// An event with a generated name, a series and an empty related object.
const EVENT: &str = "azhzAAoZChBldmVudHMuazhzLmlvL3YxEgVFdmVudBKiAQoSCgASAmctGgAiACoAMgA4AEIAEgsIgPLWygYQgJTvOhoPCAISCwiA8tbKBhCAlO86IgNhL2IqAWkyA0FjdDoDV2h5QjEKBVRoaW5nEgdkZWZhdWx0GgJ0aCIBdSoOZXhhbXBsZS5jb20vdjEyADoGc3BlYy54Sg4KABIAGgAiACoAMgA6AFIEbm90ZVoHV2FybmluZ2IECgASAGoAcgB4ABoAIgA=";
/// Background deletion without a grace period, as a dry run, with the precondition that the revision is `x`.
const OPTIONS: &str = "azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxIYCAASAxIBeCIKQmFja2dyb3VuZCoDQWxsGgAiAA==";

/// A definition, in both encodings.
const WIDGETS: &[u8] = include_bytes!("../examples/widgets.pb");
const WIDGETS_IN_JSON: &str = include_str!("../examples/widgets.json");

fn bytes(text: &str) -> Vec<u8> {
    STANDARD.decode(text).expect("base64")
}

fn send(target: &Target, method: &str, path: &str, body: Vec<u8>) -> Answer {
    target.send(method, path, &[("content-type", PROTOBUF), ("accept", JSON)], body)
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
    let spec = json!({"finalizers": ["kubernetes"]});
    assert_eq!(at(&created, &pointers), [labels, json!(["a.b/c"]), owner, spec, Value::Null]);
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
    let expected = [involved.clone(), source, second, json!(3), Value::Null, Value::Null, json!("hello")];
    assert_eq!(at(&created, &pointers), expected);
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
#[case::patch_of_a_definition("PATCH", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com", WIDGETS.to_vec(), 415)]
#[case::other_kind_as_a_definition("POST", DEFINITIONS, bytes(NAMESPACE), 400)]
#[case::options_as_a_definition("POST", DEFINITIONS, bytes(OPTIONS), 400)]
#[case::instances("POST", THINGS, bytes(CORE_EVENT), 415)]
fn rest_080_invalid_messages_are_refused(
    #[case] method: &str,
    #[case] path: &str,
    #[case] body: Vec<u8>,
    #[case] code: u16,
) {
    let target = Target::with(&things());
    let answer = send(&target, method, path, body);
    assert_eq!(answer.code, code, "{answer:?}");
}

/// The definition with a revision: a second `metadata` in its message, which is merged with the first.
fn with_revision(revision: &str) -> Vec<u8> {
    let types = usize::from(WIDGETS[5]);
    // A length of two bytes follows the tag.
    let message = &WIDGETS[6 + types..];
    let length = usize::from(message[1] & 0x7f) | usize::from(message[2]) << 7;
    let byte = |number: usize| u8::try_from(number).expect("a small number");
    let mut raw = message[3..3 + length].to_vec();
    raw.extend([0x0a, byte(revision.len() + 2), 0x32, byte(revision.len())]);
    raw.extend(revision.as_bytes());
    let mut body = WIDGETS[..6 + types].to_vec();
    body.extend([0x12, byte(raw.len() & 0x7f) | 0x80, byte(raw.len() >> 7)]);
    body.extend(raw);
    body
}

/// A response without what differs between two servers.
fn without_identity(mut answer: Answer) -> Value {
    let status = &mut answer.body["status"]["conditions"];
    for condition in status.as_array_mut().into_iter().flatten() {
        condition["lastTransitionTime"].take();
    }
    for field in ["uid", "creationTimestamp"] {
        answer.body["metadata"][field].take();
    }
    for entry in answer.body["metadata"]["managedFields"].as_array_mut().into_iter().flatten() {
        entry["time"].take();
    }
    answer.body
}

#[test]
fn rest_080_a_definition_is_the_same_in_both_encodings() {
    let json = Target::new();
    let created = json.send_as(JSON, "POST", DEFINITIONS, WIDGETS_IN_JSON);
    assert_eq!(created.code, 201, "{created:?}");
    let target = Target::new();
    let path = format!("{DEFINITIONS}/widgets.example.com");
    let answer = send(&target, "POST", DEFINITIONS, WIDGETS.to_vec());
    assert_eq!((answer.code, &answer.warnings), (201, &created.warnings), "{answer:?}");
    assert_eq!(without_identity(answer), without_identity(created));
    assert_eq!(without_identity(target.get(&path)), without_identity(json.get(&path)));
    let openapi = |target: &Target| target.get("/openapi/v3/apis/example.com/v1").text;
    assert_eq!(openapi(&target), openapi(&json));

    // Updates, first without a revision, which is an error.
    let widgets: Value = serde_json::from_str(WIDGETS_IN_JSON).expect("JSON");
    let refused = send(&target, "PUT", &path, WIDGETS.to_vec());
    assert_eq!((refused.code, &refused.body), (422, &json.put(&path, &widgets).body), "{refused:?}");
    for part in [&path, &format!("{path}/status")] {
        let revision = |target: &Target| target.get(&path).body["metadata"]["resourceVersion"].clone();
        let revised = widgets.clone().with("/metadata/resourceVersion", revision(&json));
        let updated = send(&target, "PUT", part, with_revision(revision(&target).as_str().expect("a revision")));
        let updated_in_json = json.put(part, &revised);
        assert_eq!(updated.code, updated_in_json.code, "{updated:?} {updated_in_json:?}");
        assert_eq!(without_identity(updated), without_identity(updated_in_json));
    }
    assert_eq!(without_identity(target.get(&path)), without_identity(json.get(&path)));

    assert_eq!(send(&target, "DELETE", &path, bytes(OPTIONS)).code, 409, "its revision is not x");
}

fn unrecognized(cause: &str) -> String {
    format!("the object provided is unrecognized (must be of type CustomResourceDefinition): {cause}")
}

// As kube-apiserver 1.36.3 answers.
#[rstest]
#[case::empty(b"".to_vec(), unrecognized("empty data (<empty>)"))]
#[case::no_prefix(
    b"abc".to_vec(),
    unrecognized("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (616263)"),
)]
#[case::only_the_prefix(b"k8s\0".to_vec(), unrecognized("empty body (6b387300)"))]
#[case::truncated_envelope(
    WIDGETS[..60].to_vec(),
    unrecognized("unexpected EOF (6b3873000a330a17617069657874656e73696f6e732e6b38732e696f2f76 ...)"),
)]
#[case::truncated_message(
    b"k8s\0\x12\x02\x0a\xff".to_vec(),
    "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: unexpected EOF".to_owned(
    ),
)]
fn rest_080_refusals_have_the_text_of_upstream(#[case] body: Vec<u8>, #[case] message: String) {
    let answer = send(&Target::new(), "POST", DEFINITIONS, body);
    assert_eq!((answer.code, answer.message()), (400, message.as_str()));
}

#[test]
fn rest_080_options_of_a_deletion_are_refused_with_the_text_of_upstream() {
    let target = Target::with(&things());
    let answer = send(&target, "DELETE", THINGS_DEFINITION, b"k8s\0".to_vec());
    assert_eq!((answer.code, answer.message()), (400, "empty body"));
}

#[test]
fn rest_080_brackets_in_messages_do_not_nest() {
    let target = Target::new();
    let mut message = b"k8s\0\x12\xcf\x01\x0a\x04\x0a\x02nn\x22\xc6\x01".to_vec();
    message.extend([b'['; 198]);
    let created = send(&target, "POST", CORE, message);
    assert_eq!((created.code, &created.body["message"]), (201, &json!("[".repeat(198))), "{created:?}");
}
