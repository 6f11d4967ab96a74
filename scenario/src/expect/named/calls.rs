//! Checks of what a webhook was sent, and of what clients see when it fails.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{super::mismatch::summary, Given, Mismatch};
use crate::{
    expect::{difference, equal},
    transcript::{Answer, Call},
};

pub(super) fn reviews(
    given: &Given<'_>,
    definition: usize,
    review: &str,
    path: &str,
    versions: &[String],
) -> Result<(), Mismatch> {
    let calls = called(given, definition)?;
    for call in &calls {
        if let Some((what, expected, actual)) = wrong_envelope(call, review, path, versions) {
            let summary = format!("a call of the webhook is wrong: {what}");
            return Err(Mismatch::new(expected, actual, "", &what.replace(' ', "-"), summary));
        }
    }
    let uids: Vec<&Value> = calls.iter().map(|call| &call.body["request"]["uid"]).collect();
    let distinct: BTreeSet<String> = uids.iter().map(ToString::to_string).collect();
    if distinct.len() < uids.len() {
        let summary = "two calls of the webhook have the same uid".to_owned();
        return Err(Mismatch::new(json!("another uid for each call"), json!(uids), "", "same-uid", summary));
    }
    Ok(())
}

/// What is wrong with a call, what is right instead, and what was sent.
fn wrong_envelope(call: &Call, review: &str, path: &str, versions: &[String]) -> Option<(&'static str, Value, Value)> {
    let request = &call.body["request"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let own_path = call.path.split('?').next().unwrap_or_default();
    let is_known = |api_version: &str| {
        let version = api_version.strip_prefix("$group/");
        version.is_some_and(|version| versions.iter().any(|known| known == version))
    };
    let wrong = |what, expected: Value, actual: &Value| Some((what, expected, actual.clone()));
    if call.method != "POST" {
        return wrong("method", json!("POST"), &json!(call.method));
    }
    if own_path != path {
        return wrong("path", json!(path), &json!(call.path));
    }
    if call.content_type.as_deref().is_none_or(|kind| kind.split(';').next() != Some("application/json")) {
        return wrong("content type", json!("application/json"), &json!(call.content_type));
    }
    if !call.body.is_object() {
        return wrong("body", json!("a ConversionReview as JSON"), &call.body);
    }
    if call.body["kind"] != "ConversionReview" {
        return wrong("kind", json!("ConversionReview"), &call.body["kind"]);
    }
    if call.body["apiVersion"] != review {
        return wrong("review version", json!(review), &call.body["apiVersion"]);
    }
    let has_answer = call.body.get("response").is_some_and(|response| {
        !response.is_null() && response["convertedObjects"].as_array().is_some_and(|objects| !objects.is_empty())
    });
    if has_answer {
        return wrong("response", json!("no response in a request"), &call.body["response"]);
    }
    if text(&request["uid"]).is_empty() {
        return wrong("uid", json!("a random text"), &request["uid"]);
    }
    let desired = text(&request["desiredAPIVersion"]);
    if !is_known(&desired) {
        return wrong("desired version", json!(versions), &request["desiredAPIVersion"]);
    }
    let objects = request["objects"].as_array().map_or(&[][..], Vec::as_slice);
    if objects.is_empty() {
        return wrong("objects", json!("at least one object"), &request["objects"]);
    }
    for object in objects {
        let api_version = text(&object["apiVersion"]);
        if !is_known(&api_version) {
            return wrong("version of an object", json!(versions), &object["apiVersion"]);
        }
        if api_version == desired {
            return wrong("object of the desired version", json!("an object of another version"), object);
        }
        if object["kind"] != "$kind" {
            return wrong("kind of an object", json!("the kind of the definition"), &object["kind"]);
        }
        if !object["metadata"].is_object() {
            return wrong("metadata of an object", json!("an object"), &object["metadata"]);
        }
    }
    None
}

pub(super) fn sent(given: &Given<'_>, definition: usize, to: &str) -> Result<(), Mismatch> {
    let wanted = given.looked_at()?.with_managed_fields();
    let to = format!("$group/{to}");
    let calls = called(given, definition)?;
    let name = |object: &Value| object.pointer("/metadata/name").cloned();
    let of_object: Vec<&Value> = calls
        .iter()
        .filter(|call| call.body["request"]["desiredAPIVersion"] == json!(to))
        .flat_map(|call| call.body["request"]["objects"].as_array().into_iter().flatten())
        .filter(|object| name(object) == name(&wanted) && object["apiVersion"] == wanted["apiVersion"])
        .collect();
    // The revision is not known before an object is stored, and is not sent with it.
    let comparable = |object: &Value| {
        let mut object = object.clone();
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("resourceVersion");
        }
        object
    };
    let wanted = comparable(&wanted);
    if of_object.iter().any(|object| equal(&wanted, &comparable(object))) {
        return Ok(());
    }
    let Some(last) = of_object.last() else {
        let summary = format!("the webhook was not sent the object to be converted to {to}");
        return Err(Mismatch::new(wanted, json!("(not sent)"), "", "not-sent", summary));
    };
    let last = comparable(last);
    let place = difference(&wanted, &last).map(|found| found.pointer).unwrap_or_default();
    let summary = format!("the webhook was sent another object: it differs at {place}");
    Err(Mismatch::new(wanted, last, &place, "sent-otherwise", summary))
}

pub(super) fn none(given: &Given<'_>, definition: usize) -> Result<(), Mismatch> {
    match calls(given, definition).first() {
        None => Ok(()),
        Some(call) => {
            let summary = "the webhook was called although nothing was to be converted".to_owned();
            Err(Mismatch::new(json!("no call"), call.body.clone(), "", "called", summary))
        }
    }
}

pub(super) fn failure(given: &Given<'_>, from: &str, words: &[String]) -> Result<(), Mismatch> {
    let message = given.answer.body.get("message").and_then(Value::as_str).unwrap_or_default();
    let is_status = given.answer.body.get("kind").is_some_and(|kind| kind == "Status");
    let is_reason_free = matches!(given.answer.reason(), "" | "InternalError");
    if given.answer.status != 500 || !is_status || !is_reason_free {
        return Err(wrong_failure(given.answer, "500 with a Status, and the reason InternalError or none"));
    }
    // Since 1.37 what cannot be converted counts as unreadable, and the message says so first (CONV-021).
    let message = match message.split_once("object not decodable revision=") {
        Some((_, rest)) => rest.split_once(": ").map_or(rest, |(_, cause)| cause),
        None => message,
    };
    let names_version = message.starts_with("conversion webhook for ") && message.contains(&format!("/{from}, Kind="));
    if !from.is_empty() && !names_version {
        return Err(wrong_failure(given.answer, &format!("conversion webhook for <group>/{from}, Kind=<kind> …")));
    }
    match words.iter().find(|words| !message.contains(*words)) {
        Some(missing) => Err(wrong_failure(given.answer, &format!("a message with the words: {missing}"))),
        None => Ok(()),
    }
}

fn wrong_failure(answer: &Answer, expected: &str) -> Mismatch {
    let message = answer.body.get("message").cloned().unwrap_or_default();
    let actual = json!({ "status": answer.status, "reason": answer.reason(), "message": message });
    let summary = format!("{}, expected a failed conversion", summary(answer));
    let reason = if answer.status == 500 { "other-failure".to_owned() } else { format!("status-{}", answer.status) };
    Mismatch::new(json!(expected), actual, "", &reason, summary)
}

fn calls<'a>(given: &Given<'a>, definition: usize) -> Vec<&'a Call> {
    given.calls.iter().filter(|call| call.definition == definition).collect()
}

/// The calls of the definition; there must be some.
fn called<'a>(given: &Given<'a>, definition: usize) -> Result<Vec<&'a Call>, Mismatch> {
    let calls = calls(given, definition);
    if calls.is_empty() {
        let summary = "the webhook was not called".to_owned();
        return Err(Mismatch::new(json!("a call"), json!("no call"), "", "not-called", summary));
    }
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use crate::{
        expect::named::{Given, evaluate},
        scenario::NamedCheck,
        transcript::{Answer, Call},
    };

    fn object(version: &str) -> Value {
        json!({ "apiVersion": format!("$group/{version}"), "kind": "$kind", "metadata": { "name": "$object-0" }, "spec": 1 })
    }

    fn call(uid: &str) -> Call {
        Call {
            definition: 0,
            moment: 0,
            method: "POST".to_owned(),
            path: "/x?timeout=30s".to_owned(),
            content_type: Some("application/json".to_owned()),
            body: json!({
                "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
                "request": { "uid": uid, "desiredAPIVersion": "$group/v2", "objects": [object("v1")] },
                "response": { "uid": "", "convertedObjects": null },
            }),
        }
    }

    fn reason(check: &NamedCheck, calls: &[Call], other: Option<&Answer>) -> Option<String> {
        let answer = Answer { status: 200, ..Answer::default() };
        evaluate(check, &Given { answer: &answer, other, calls }).err().map(|mismatch| mismatch.reason)
    }

    fn envelope(change: impl FnOnce(&mut Call)) -> Option<String> {
        let mut changed = call("2");
        change(&mut changed);
        let check = reviews("apiextensions.k8s.io/v1", "/x", &["v1", "v2"]);
        reason(&check, &[call("1"), changed], None)
    }

    fn reviews(reviews: &str, path: &str, versions: &[&str]) -> NamedCheck {
        let versions = versions.iter().map(ToString::to_string).collect();
        NamedCheck::WebhookReviews { definition: 0, reviews: reviews.to_owned(), path: path.to_owned(), versions }
    }

    #[test]
    fn a_right_review_holds() {
        assert_eq!(envelope(|_| {}), None);
    }

    #[rstest]
    #[case("/request/uid", json!(""), "uid")]
    #[case("/request/uid", json!("1"), "same-uid")]
    #[case("/request/desiredAPIVersion", json!("$group/v3"), "desired-version")]
    #[case("/request/desiredAPIVersion", json!("v2"), "desired-version")]
    #[case("/request/objects", json!([]), "objects")]
    #[case("/request/objects/0/apiVersion", json!("$group/v2"), "object-of-the-desired-version")]
    #[case("/request/objects/0/apiVersion", json!("other/v1"), "version-of-an-object")]
    #[case("/request/objects/0/kind", json!("Other"), "kind-of-an-object")]
    #[case("/request/objects/0/metadata", Value::Null, "metadata-of-an-object")]
    #[case("/apiVersion", json!("apiextensions.k8s.io/v1beta1"), "review-version")]
    #[case("/kind", json!("Review"), "kind")]
    #[case("/response/convertedObjects", json!([1]), "response")]
    #[case("", json!("text"), "body")]
    fn wrong_reviews(#[case] pointer: &str, #[case] value: Value, #[case] expected: &str) {
        let found = envelope(|call| {
            if let Some(place) = call.body.pointer_mut(pointer) {
                *place = value;
            }
        });
        assert_eq!(found.as_deref(), Some(expected));
    }

    #[test]
    fn wrong_requests() {
        assert_eq!(envelope(|call| call.method = "PUT".to_owned()).as_deref(), Some("method"));
        assert_eq!(envelope(|call| call.path = "/y".to_owned()).as_deref(), Some("path"));
        assert_eq!(envelope(|call| call.content_type = None).as_deref(), Some("content-type"));
    }

    #[test]
    fn no_call_is_a_mismatch_or_not() {
        assert_eq!(reason(&reviews("", "", &[]), &[], None).as_deref(), Some("not-called"));
        let silent = |definition| NamedCheck::WebhookSilent { definition };
        assert_eq!(reason(&silent(1), &[call("1")], None), None);
        assert_eq!(reason(&silent(0), &[call("1")], None).as_deref(), Some("called"));
    }

    #[rstest]
    #[case::same(object("v1"), "v2", None)]
    #[case::another_revision(json!({ "apiVersion": "$group/v1", "kind": "$kind", "metadata": { "name": "$object-0", "resourceVersion": "7" }, "spec": 1 }), "v2", None)]
    #[case::another_object(json!({ "apiVersion": "$group/v1", "metadata": { "name": "$object-1" } }), "v2", Some("not-sent"))]
    #[case::to_another_version(object("v1"), "v3", Some("not-sent"))]
    #[case::other_content(json!({ "apiVersion": "$group/v1", "kind": "$kind", "metadata": { "name": "$object-0" }, "spec": 2 }), "v2", Some("sent-otherwise"))]
    fn what_was_sent(#[case] shown: Value, #[case] to: &str, #[case] expected: Option<&str>) {
        let other = Answer { status: 200, body: shown, ..Answer::default() };
        let check = NamedCheck::WebhookSent { definition: 0, to: to.to_owned() };
        assert_eq!(reason(&check, &[call("1")], Some(&other)).as_deref(), expected);
    }

    #[rstest]
    #[case::right(500, "conversion webhook for g.dev/v1, Kind=Thing failed: broken", None)]
    #[case::unreadable(
        500,
        "StorageError: corrupt object, Code: 7: object not decodable revision=7: conversion webhook for g.dev/v1, Kind=Thing failed: broken",
        None
    )]
    #[case::unreadable_at_another_version(
        500,
        "object not decodable revision=7: conversion webhook for g.dev/v2, Kind=Thing failed: broken",
        Some("other-failure")
    )]
    #[case::other_version(500, "conversion webhook for g.dev/v2, Kind=Thing failed: broken", Some("other-failure"))]
    #[case::other_words(500, "conversion webhook for g.dev/v1, Kind=Thing failed: whole", Some("other-failure"))]
    #[case::other_code(503, "conversion webhook for g.dev/v1, Kind=Thing failed: broken", Some("status-503"))]
    fn failures_say_what_failed(#[case] status: u16, #[case] message: &str, #[case] expected: Option<&str>) {
        let answer = Answer { status, body: json!({ "kind": "Status", "message": message }), ..Answer::default() };
        let check = NamedCheck::WebhookFailure { from: "v1".to_owned(), words: vec!["failed: broken".to_owned()] };
        let found = evaluate(&check, &Given::of(&answer)).err().map(|mismatch| mismatch.reason);
        assert_eq!(found.as_deref(), expected);
    }
}
