//! What is demanded of answers, and what is taken of them (CONV-011..019, CONV-021).

use http::{HeaderValue, Response};
use rstest::rstest;
use serde_json::{Value, json};

use super::hook::{Answered, FAILED, at_v2, ok, server, status, with_a};
use crate::support::{THING, THING_V2, THINGS_V2, With};

/// The code and the message of a read at `v2` through a webhook that answers like this.
fn read(behaviour: impl Fn(&Value, Value) -> Answered + Send + Sync + 'static) -> (u16, String, Value) {
    let (target, hook) = with_a();
    hook.answer(behaviour);
    let answer = target.get(THING_V2);
    (answer.code, answer.message().to_owned(), answer.body)
}

#[rstest]
#[case::no_answer(
    || Err(crdible_reference::WebhookError::NoAnswer("EOF".to_owned())),
    "Post \"https://hook.invalid/convert?timeout=30s\": EOF",
)]
#[case::cut_off(
    || Err(crdible_reference::WebhookError::BrokenAnswer("unexpected EOF".to_owned())),
    "unexpected error when reading response body. Please retry. Original error: unexpected EOF",
)]
#[case::empty(|| status(200, ""), "0-length response with status code: 200 and content type: application/json")]
#[case::no_content(|| status(204, ""), "0-length response with status code: 204")]
#[case::html(|| status(200, "<html></html>"), "couldn't get version/kind; json parse error: ")]
#[case::broken(|| status(200, "{\"a\":"), "couldn't get version/kind; json parse error: ")]
#[case::not_found(|| status(404, "{}"), "the server could not find the requested resource")]
#[case::error_with_a_status(|| status(500, r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"why"}"#), "why")]
#[case::redirect_to_nowhere(|| status(307, ""), "the server responded with the status code 307 but did not return more information")]
fn conv_021_a_failed_call_says_why(#[case] answered: fn() -> Answered, #[case] expected: &str) {
    let (code, message, body) = read(move |_, _| answered());
    assert_eq!((code, body.get("reason"), body.get("details")), (500, None, None), "{body}");
    assert!(message.strip_prefix(FAILED).is_some_and(|cause| cause.starts_with(expected)), "{message}");
}

#[test]
fn conv_011_an_answer_to_another_call_fails() {
    let (code, message, _) = read(|_, mut right| {
        right["response"]["uid"] = json!("other");
        ok(&right)
    });
    assert_eq!(code, 500);
    assert!(message.starts_with(&format!("{FAILED}expected response.uid=")), "{message}");
}

#[rstest]
#[case(200)]
#[case(201)]
#[case(203)]
#[case(206)]
fn conv_008_these_codes_are_success(#[case] code: u16) {
    let (read, ..) = read(move |_, right| status(code, &right.to_string()));
    assert_eq!(read, 200);
}

#[rstest]
#[case::comment("# a comment\n")]
#[case::mark("\u{feff}")]
fn conv_011_marks_and_comments_are_skipped(#[case] before: &'static str) {
    let (code, _, body) = read(move |_, right| status(200, &format!("{before}{right}")));
    assert_eq!((code, &body["spec"]), (200, &json!({ "hostname": "h" })));
}

#[test]
fn conv_016_labels_and_annotations_are_taken_and_the_rest_is_not() {
    let (code, _, body) = read(|_, mut right| {
        let metadata = &mut right["response"]["convertedObjects"][0]["metadata"];
        metadata["labels"] = json!({ "l": "x" });
        metadata["annotations"] = json!({ "a": "y" });
        metadata["finalizers"] = json!(["example.com/f"]);
        metadata["generation"] = json!(77);
        metadata["resourceVersion"] = json!("1");
        ok(&right)
    });
    let metadata = &body["metadata"];
    assert_eq!((code, &metadata["labels"]), (200, &json!({ "l": "x" })));
    assert_eq!(metadata["annotations"], json!({ "a": "y" }));
    assert_eq!((&metadata["generation"], &metadata["finalizers"]), (&json!(1), &Value::Null));
    assert_ne!(metadata["resourceVersion"], "1");
}

#[test]
fn conv_016_what_is_added_on_the_way_to_the_store_is_stored() {
    let (target, hook) = server();
    hook.answer(|review, mut right| {
        if review["request"]["desiredAPIVersion"] == "example.com/v1" {
            right["response"]["convertedObjects"][0]["metadata"]["labels"] = json!({ "kept": "yes" });
        }
        ok(&right)
    });
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).body["metadata"]["labels"], json!({ "kept": "yes" }));
    assert_eq!(target.get(THING).body["metadata"]["labels"], json!({ "kept": "yes" }));
}

#[test]
fn conv_019_results_are_pruned_and_not_validated() {
    let (code, _, body) = read(|_, mut right| {
        let object = &mut right["response"]["convertedObjects"][0];
        object["spec"] = json!({ "hostname": ["no text"], "unknown": 1, "n": null, "nothing": null });
        object["status"] = json!({});
        ok(&right)
    });
    let expected = json!({ "hostname": ["no text"], "nothing": null });
    assert_eq!((code, &body["spec"], body.get("status")), (200, &expected, None));
}

#[test]
fn conv_021_nothing_is_stored_if_the_conversion_to_the_storage_version_fails() {
    let (target, hook) = server();
    hook.break_down_for("v1");
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).code, 500);
    assert_eq!(target.get(THING).code, 404);
    let invalid = at_v2("a", "h").with("/spec/hostname", 1);
    assert_eq!(target.post(THINGS_V2, &invalid).code, 422, "validation comes first");
}

#[test]
fn conv_021_an_object_is_stored_although_the_answer_cannot_be_converted() {
    let (target, hook) = server();
    hook.break_down_for("v2");
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).code, 500);
    assert_eq!(target.get(THING).body["spec"], json!({ "host": "h" }));
}

#[test]
fn the_answer_of_a_webhook_may_be_nested_deeply() {
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let (code, ..) = read(move |_, right| status(200, &right.to_string().replace("\"h\"", &deep(9_000))));
    assert_eq!(code, 200);
    let (code, message, _) = read(move |_, right| status(200, &right.to_string().replace("\"h\"", &deep(11_000))));
    assert_eq!(code, 500, "{message}");
}

#[test]
fn conv_008_the_media_type_does_not_matter() {
    let (code, ..) = read(|_, right| {
        let mut response = Response::new(right.to_string().into());
        response.headers_mut().insert("content-type", HeaderValue::from_static("text/html"));
        Ok(response)
    });
    assert_eq!(code, 200);
}
