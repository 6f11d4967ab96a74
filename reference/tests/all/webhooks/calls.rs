//! What a webhook is sent (CONV-006..010).

use crdible_reference::Options;
use rstest::rstest;
use serde_json::{Value, json};

use super::hook::{at_v1, at_v2, converted, server, server_with, with_a};
use crate::support::{THING, THING_V2, THINGS, THINGS_V2, With, thing};

/// The objects that were sent, with the version that was wanted for each.
fn sent(calls: &[(String, Value)]) -> Vec<(&str, &Value)> {
    let requests = calls.iter().map(|(_, review)| &review["request"]);
    requests.map(|request| (request["desiredAPIVersion"].as_str().unwrap(), &request["objects"][0])).collect()
}

#[test]
fn conv_010_a_read_sends_the_stored_object() {
    let (target, hook) = with_a();
    hook.take_calls();
    assert_eq!(target.get(THING_V2).code, 200);
    let calls = hook.take_calls();
    let (url, review) = calls.last().unwrap();
    assert_eq!(url, "https://hook.invalid/convert?timeout=30s");
    assert_eq!(
        (&review["apiVersion"], &review["kind"]),
        (&"apiextensions.k8s.io/v1".into(), &"ConversionReview".into())
    );
    let request = &review["request"];
    assert_eq!(request["desiredAPIVersion"], "example.com/v2");
    assert!(!request["uid"].as_str().unwrap().is_empty());
    let [object] = request["objects"].as_array().unwrap().as_slice() else { panic!("{request}") };
    assert_eq!((&object["apiVersion"], &object["spec"]), (&json!("example.com/v1"), &json!({ "host": "h" })));
    for field in ["uid", "creationTimestamp", "generation", "managedFields", "name", "namespace"] {
        assert!(!object["metadata"][field].is_null(), "{field}: {object}");
    }
    assert!(object["metadata"]["resourceVersion"].is_null());
}

#[test]
fn conv_010_a_create_sends_what_will_be_stored() {
    let (target, hook) = server();
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).code, 201);
    let calls = hook.take_calls();
    let sent = sent(&calls);
    let (_, object) = sent.iter().find(|(desired, _)| *desired == "example.com/v1").unwrap();
    assert_eq!(object["spec"], json!({ "hostname": "h" }));
    for field in ["uid", "creationTimestamp", "generation", "managedFields"] {
        assert!(!object["metadata"][field].is_null(), "{field}");
    }
    assert!(object["metadata"]["resourceVersion"].is_null());
}

#[test]
fn conv_010_a_dry_run_of_an_update_sends_the_revision() {
    let (target, hook) = server();
    let created = target.post(THINGS, &at_v1("a", "h"));
    hook.take_calls();
    let answer = target.merge(&format!("{THING_V2}?dryRun=All"), &json!({ "spec": { "hostname": "i" } }));
    assert_eq!((answer.code, &answer.body["spec"]), (200, &json!({ "hostname": "i" })));
    let calls = hook.take_calls();
    let sent = sent(&calls);
    let (_, object) = sent.iter().find(|(desired, _)| *desired == "example.com/v1").unwrap();
    assert_eq!(object["metadata"]["resourceVersion"], created.version().as_str());
}

#[rstest]
#[case::first(&["v1", "v1beta1"], "apiextensions.k8s.io/v1")]
#[case::first_known(&["v7", "v1beta1"], "apiextensions.k8s.io/v1beta1")]
fn conv_009_the_review_version(#[case] versions: &[&str], #[case] expected: &str) {
    let definition = converted().with("/spec/conversion/webhook/conversionReviewVersions", json!(versions));
    let (target, hook) = server_with(&definition, Options::default());
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).code, 201);
    assert!(hook.take_calls().iter().all(|(_, review)| review["apiVersion"] == expected));
    assert_eq!(target.get(THING).body["spec"], json!({ "host": "h" }));
}

#[rstest]
#[case::port(json!({ "namespace": "ns", "name": "s", "path": "/p", "port": 8443 }), "https://s.ns.svc:8443/p?timeout=30s")]
#[case::no_port(json!({ "namespace": "ns", "name": "s" }), "https://s.ns.svc:443/?timeout=30s")]
fn conv_008_a_service_has_a_host_name(#[case] service: Value, #[case] expected: &str) {
    let definition = converted().with("/spec/conversion/webhook/clientConfig", json!({ "service": service }));
    let (target, hook) = server_with(&definition, Options::default());
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).code, 201);
    let calls = hook.take_calls();
    assert!(!calls.is_empty() && calls.iter().all(|(url, _)| url == expected), "{calls:?}");
}

#[test]
fn conv_002_a_missing_object_needs_no_conversion() {
    let (target, hook) = server();
    hook.break_down();
    assert_eq!(target.get(THING_V2).code, 404);
    assert_eq!(target.delete(THING_V2).code, 404);
    assert_eq!(target.merge(THING_V2, &json!({})).code, 404);
}

#[test]
fn default_010_objects_are_sent_with_the_defaults_of_their_version() {
    let host = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/host";
    let definition = converted().with(&format!("{host}/default"), "filled");
    let (target, hook) = server_with(&definition, Options::default());
    target.create(THINGS, &thing("a", &json!({ "other": 1 })));
    hook.take_calls();
    assert_eq!(target.get(THING_V2).body["spec"], json!({ "hostname": "filled" }));
    let calls = hook.take_calls();
    assert_eq!(sent(&calls).last().unwrap().1["spec"], json!({ "host": "filled" }));
}
