//! What conversion webhooks are asked, and what is demanded of their answers (chapter 9).

use crdible_semantics::review::{Asked, Unconverted};
use crdible_semantics::{Schema, Semantics};
use rstest::rstest;
use serde_json::{Value, json};

fn original() -> Value {
    json!({
        "apiVersion": "g/v1", "kind": "K", "spec": { "a": 1 },
        "metadata": {
            "name": "n", "namespace": "ns", "uid": "u", "generation": 2, "finalizers": ["a/b"],
            "labels": { "k": "v" }, "annotations": { "a": "b" },
        },
    })
}

fn converted() -> Value {
    let mut object = original();
    object["apiVersion"] = json!("g/v2");
    object["spec"] = json!({ "b": 1 });
    object
}

fn answer(review: &str) -> Value {
    json!({
        "apiVersion": format!("apiextensions.k8s.io/{review}"), "kind": "ConversionReview",
        "response": { "uid": "call", "result": { "status": "Success" }, "convertedObjects": [converted()] },
    })
}

/// The converted object of an answer, or the message about it.
fn taken(review: &str, answer: Value) -> Result<Value, String> {
    let asked = Asked { review, uid: "call", desired: "g/v2", objects: &[original()] };
    let mut taken =
        Semantics::UPSTREAM.converted_objects(&asked, answer).map_err(|error| error.message("g/v1", "K"))?;
    Ok(taken.remove(0))
}

fn set(mut document: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    document.pointer_mut(parent).expect("a parent")[key] = value;
    document
}

fn without(mut document: Value, pointer: &str) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    document.pointer_mut(parent).and_then(Value::as_object_mut).expect("a parent").remove(key);
    document
}

#[rstest]
#[case::first(&["v1", "v1beta1"], Some("v1"))]
#[case::order_counts(&["v1beta1", "v1"], Some("v1beta1"))]
#[case::unknown_are_skipped(&["v9", "v1beta1"], Some("v1beta1"))]
#[case::none_known(&["v9"], None)]
fn conv_009_the_first_known_review_version(#[case] listed: &[&str], #[case] expected: Option<&str>) {
    let listed: Vec<String> = listed.iter().map(|&version| version.to_owned()).collect();
    assert_eq!(Semantics::UPSTREAM.known_review(&listed), expected);
}

#[rstest]
#[case::another_version(json!({ "apiVersion": "g/v1", "kind": "K", "metadata": {} }), true)]
#[case::the_desired_version(json!({ "apiVersion": "g/v2", "kind": "K", "metadata": {} }), false)]
#[case::nothing_but_a_type(json!({ "apiVersion": "g/v1", "kind": "K" }), false)]
fn conv_006_what_is_sent(#[case] object: Value, #[case] expected: bool) {
    assert_eq!(Semantics::UPSTREAM.needs_webhook(&object, "g/v2"), expected);
}

#[test]
fn conv_010_the_request() {
    let asked = Asked { review: "v1beta1", uid: "call", desired: "g/v2", objects: &[original()] };
    let expected = json!({
        "apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "ConversionReview",
        "request": { "uid": "call", "desiredAPIVersion": "g/v2", "objects": [original()] },
        "response": { "uid": "", "convertedObjects": null, "result": { "metadata": {} } },
    });
    assert_eq!(Semantics::UPSTREAM.conversion_review(&asked), expected);
}

#[rstest]
#[case::as_it_should_be(answer("v1"), "v1")]
#[case::older_review(answer("v1beta1"), "v1beta1")]
#[case::without_a_type(without(without(answer("v1beta1"), "/apiVersion"), "/kind"), "v1beta1")]
#[case::any_uid_in_the_older_review(set(answer("v1beta1"), "/response/uid", json!("other")), "v1beta1")]
#[case::an_echoed_request(set(answer("v1"), "/request", json!(7)), "v1")]
#[case::success_with_a_message(set(answer("v1"), "/response/result/message", json!("m")), "v1")]
fn conv_011_accepted_answers(#[case] answer: Value, #[case] review: &str) {
    assert_eq!(taken(review, answer), Ok(converted()));
}

#[rstest]
#[case::kind(set(answer("v1"), "/kind", json!("Review")), "failed: no kind")]
#[case::kind_missing(
    without(answer("v1"), "/kind"),
    "failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind="
)]
#[case::nothing(json!({}), "failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=")]
#[case::null(Value::Null, "failed: expected webhook response of")]
#[case::list(json!([]), "failed: couldn't get version/kind")]
#[case::no_response(without(answer("v1"), "/response"), "failed: no response provided")]
#[case::uid(set(answer("v1"), "/response/uid", json!("other")), "failed: expected response.uid=\"call\", got \"other\"")]
#[case::no_uid(without(answer("v1"), "/response/uid"), "failed: expected response.uid=\"call\", got \"\"")]
#[case::conv_012_no_result(
    without(answer("v1"), "/response/result"),
    "failed: response.result.status was '', not 'Success'"
)]
#[case::conv_012_failed(
    set(answer("v1"), "/response/result", json!({ "status": "Failed" })),
    "failed: response.result.status was 'Failed', not 'Success'",
)]
#[case::conv_012_lower_case(
    set(answer("v1"), "/response/result/status", json!("success")),
    "failed: response.result.status was 'success', not 'Success'",
)]
#[case::conv_012_message(set(answer("v1"), "/response/result", json!({ "status": "Failure", "message": "no way" })), "failed: no way")]
#[case::conv_013_none(set(answer("v1"), "/response/convertedObjects", json!([])), "returned 0 objects, expected 1")]
#[case::conv_013_missing(without(answer("v1"), "/response/convertedObjects"), "returned 0 objects, expected 1")]
#[case::conv_013_two(set(answer("v1"), "/response/convertedObjects", json!([1, 2])), "returned 2 objects, expected 1")]
#[case::conv_014_version(
    set(answer("v1"), "/response/convertedObjects/0/apiVersion", json!("g/v1")),
    "returned invalid object at index 0: invalid groupVersion (expected g/v2, received g/v1)",
)]
#[case::conv_014_kind(
    set(answer("v1"), "/response/convertedObjects/0/kind", json!("L")),
    "returned invalid object at index 0: invalid kind (expected K, received L)",
)]
#[case::conv_015_name(
    set(answer("v1"), "/response/convertedObjects/0/metadata/name", json!("m")),
    "returned invalid object: must have the same name: n != m",
)]
#[case::conv_015_namespace(
    without(answer("v1"), "/response/convertedObjects/0/metadata/namespace"),
    "returned invalid object: must have the same namespace: ns != "
)]
#[case::conv_015_uid(
    set(answer("v1"), "/response/convertedObjects/0/metadata/uid", json!("x")),
    "returned invalid object: must have the same UID: u != x",
)]
#[case::conv_015_no_metadata(
    without(answer("v1"), "/response/convertedObjects/0/metadata"),
    "returned invalid object: must have the same name: n != "
)]
#[case::conv_016_labels_are_no_map(
    set(answer("v1"), "/response/convertedObjects/0/metadata/labels", json!([])),
    "returned invalid metadata: invalid metadata.labels of type []interface {} in converted object",
)]
#[case::conv_016_no_text(
    set(answer("v1"), "/response/convertedObjects/0/metadata/labels/k", json!(1)),
    "returned invalid metadata: metadata.labels[k] must be a string, but is int64 in converted object",
)]
#[case::conv_016_null(
    set(answer("v1"), "/response/convertedObjects/0/metadata/annotations/k", json!(null)),
    "returned invalid metadata: metadata.annotations[k] must be a string, but is <nil> in converted object",
)]
#[case::conv_016_invalid_label(
    set(answer("v1"), "/response/convertedObjects/0/metadata/labels/k", json!("a b")),
    "returned invalid metadata: metadata.labels: Invalid value: \"a b\"",
)]
#[case::conv_016_invalid_key(
    set(answer("v1"), "/response/convertedObjects/0/metadata/annotations", json!({ "a b": "" })),
    "returned invalid metadata: metadata.annotation: Invalid value: \"a b\"",
)]
#[case::conv_016_too_many(
    set(answer("v1"), "/response/convertedObjects/0/metadata/annotations/a", json!("x".repeat(300_000))),
    "returned invalid metadata: metadata.annotation: Too long",
)]
fn refused_answers(#[case] answer: Value, #[case] expected: &str) {
    let message = taken("v1", answer).expect_err("a refusal");
    let rest = message.strip_prefix("conversion webhook for g/v1, Kind=K ").unwrap_or_default();
    assert!(rest.starts_with(expected), "{message}");
}

#[rstest]
#[case::null(Value::Null)]
#[case::text(json!("text"))]
#[case::list(json!([]))]
#[case::nothing(json!({}))]
#[case::no_kind(without(converted(), "/kind"))]
fn conv_014_what_is_no_object_names_no_webhook(#[case] object: Value) {
    let answer = set(answer("v1"), "/response/convertedObjects", json!([object]));
    let message = taken("v1", answer).expect_err("a refusal");
    assert!(!message.contains("webhook"), "{message}");
}

#[rstest]
#[case::conv_011_v1_for_the_older_review(answer("v1"))]
#[case::conv_011_another_kind(set(answer("v1beta1"), "/kind", json!("Review")))]
fn the_older_review_demands_less(#[case] answer: Value) {
    taken("v1beta1", answer).expect_err("a refusal");
}

#[rstest]
#[case::conv_016_changed(json!({ "k": "w" }), json!({ "k": "w" }))]
#[case::conv_016_emptied(json!({}), json!({}))]
#[case::conv_016_removed(json!(null), Value::Null)]
fn labels_are_taken(#[case] given: Value, #[case] expected: Value) {
    let answer = set(answer("v1"), "/response/convertedObjects/0/metadata/labels", given);
    assert_eq!(taken("v1", answer).expect("an object")["metadata"]["labels"], expected);
}

#[test]
fn conv_017_other_metadata_is_restored() {
    let mut changed = answer("v1");
    let metadata = &mut changed["response"]["convertedObjects"][0]["metadata"];
    metadata["finalizers"] = json!("wrong");
    metadata["generation"] = json!(9);
    metadata["ownerReferences"] = json!([{ "name": "o" }]);
    metadata["creationTimestamp"] = json!("never");
    assert_eq!(taken("v1", changed), Ok(converted()));
}

#[test]
fn conv_016_what_was_there_is_not_validated_again() {
    let mut original = original();
    original["metadata"]["labels"] = json!({ "k": "not valid" });
    let mut converted = original.clone();
    converted["apiVersion"] = json!("g/v2");
    assert!(Semantics::UPSTREAM.take_converted(&original, converted.clone(), "g/v2").is_ok());
    converted["metadata"]["labels"]["l"] = json!("");
    let refused = Semantics::UPSTREAM.take_converted(&original, converted, "g/v2");
    assert!(matches!(refused, Err(Unconverted::Returned(_))));
}

#[test]
fn conv_019_results_are_pruned_and_not_defaulted() {
    let schema = json!({ "type": "object", "properties": {
        "spec": { "type": "object", "properties": {
            "a": { "type": "integer" }, "n": { "type": "string" }, "d": { "type": "string", "default": "x" },
        } },
        "embedded": { "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    } });
    let (schema, _) = Schema::parse(&schema).expect("a schema");
    let embedded = json!({ "apiVersion": "v1", "kind": "E", "metadata": { "name": "e", "unknown": 1 } });
    let mut object = json!({
        "apiVersion": "g/v2", "kind": "K", "metadata": { "labels": {} }, "spec": { "a": "wrong", "b": 1, "n": null },
        "other": 1, "embedded": embedded,
    });
    assert_eq!(Semantics::UPSTREAM.settle_converted(&mut object, &schema), Ok(()));
    let expected = json!({
        "apiVersion": "g/v2", "kind": "K", "metadata": {}, "spec": { "a": "wrong" },
        "embedded": { "apiVersion": "v1", "kind": "E", "metadata": { "name": "e" } },
    });
    assert_eq!(object, expected);
    object["embedded"]["metadata"]["labels"] = json!("wrong");
    assert!(Semantics::UPSTREAM.settle_converted(&mut object, &schema).is_err(), "PRUNE-023");
}
