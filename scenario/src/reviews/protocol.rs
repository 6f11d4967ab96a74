//! Whether an answer is one as the protocol has it (CONV-030, CONV-032).
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::{expect::Mismatch, scenario::Review, transcript::Answer};

/// The text that a transcript has in place of the `uid` that was sent.
pub const UID: &str = "$uid";

/// The reason in the signature of a check whose review got no answer in time, as a transcript has it.
pub const TIMEOUT: &str = "timeout";

/// The reason if the connection was closed instead.
pub const CLOSED: &str = "closed";

/// The review version whose answers may be bare: the server looks at neither their version and kind if they are absent,
/// nor at their uid (CONV-011).
const BETA: &str = "v1beta1";

/// The statuses with which a server accepts an answer (CONV-008).
const ACCEPTED: RangeInclusive<u16> = 200..=202;

/// The converted objects of an answer that is right as far as the protocol goes.
pub(super) fn check(review: &Review, sent: &[Value], answer: &Answer) -> Result<Vec<Value>, Mismatch> {
    let objects = success(answer, sent.len())?;
    if review.version != BETA || !is_bare(answer) {
        envelope(review, answer)?;
    }
    for (at, (object, sent)) in objects.iter().zip(sent).enumerate() {
        let place = |field: &str| format!("/response/convertedObjects/{at}/{field}");
        if object["apiVersion"] != review.desired.as_str() {
            return wrong(&place("apiVersion"), "api-version", json!(review.desired), &object["apiVersion"]);
        }
        if object["kind"] != sent["kind"] {
            return wrong(&place("kind"), "kind", sent["kind"].clone(), &object["kind"]);
        }
        if !object["metadata"].is_object() {
            return wrong(&place("metadata"), "metadata", sent["metadata"].clone(), &object["metadata"]);
        }
        // Another object in its place is no conversion of it.
        if object["metadata"]["uid"] != sent["metadata"]["uid"]
            && objects.iter().any(|other| other["metadata"]["uid"] == sent["metadata"]["uid"])
        {
            return wrong(&place("metadata"), "order", sent["metadata"].clone(), &object["metadata"]);
        }
    }
    Ok(objects)
}

/// The converted objects of an answer that came in time and says that all went well.
pub(super) fn success(answer: &Answer, count: usize) -> Result<Vec<Value>, Mismatch> {
    answered(answer)?;
    let result = &answer.body["response"]["result"];
    match result["status"].as_str() {
        Some("Success") => {}
        Some(status) => {
            let message = result["message"].as_str().unwrap_or("without a message");
            let summary = format!("the converter refuses a valid object: {}", cut(message));
            let actual = json!({ "status": status, "message": result["message"] });
            return Err(Mismatch::new(json!({ "status": "Success" }), actual, "", "refused", summary));
        }
        None => return wrong("/response/result/status", "result", json!("Success"), &result["status"]),
    }
    let Some(objects) = answer.body["response"]["convertedObjects"].as_array() else {
        let actual = &answer.body["response"]["convertedObjects"];
        return wrong("/response/convertedObjects", "no-objects", json!(format!("{count} objects")), actual);
    };
    if objects.len() != count {
        let summary = format!("{count} objects were sent, and {} came back", objects.len());
        let place = "/response/convertedObjects";
        return Err(Mismatch::new(json!(count), json!(objects.len()), place, "count", summary));
    }
    Ok(objects.clone())
}

/// An answer came, with a status that a server accepts and a JSON object.
fn answered(answer: &Answer) -> Result<(), Mismatch> {
    if answer.status == 0 {
        let code = answer.body["error"].as_str().unwrap_or("no-answer");
        let message = answer.body["message"].as_str().unwrap_or_default();
        let summary = match code {
            TIMEOUT => "the converter did not answer in time".to_owned(),
            CLOSED => "the converter closed the connection without an answer".to_owned(),
            _ => format!("the converter did not answer: {}", cut(message)),
        };
        return Err(Mismatch::new(json!("an answer"), answer.body.clone(), "", code, summary));
    }
    if !ACCEPTED.contains(&answer.status) {
        let summary = format!("the converter answered with status {}", answer.status);
        let actual = json!({ "status": answer.status, "body": answer.body });
        return Err(Mismatch::new(json!({ "status": 200 }), actual, "", &format!("status-{}", answer.status), summary));
    }
    if !answer.body.is_object() {
        let summary = "the answer is not a JSON object".to_owned();
        return Err(Mismatch::new(json!("a ConversionReview"), answer.body.clone(), "", "not-json", summary));
    }
    Ok(())
}

/// Whether an answer leaves out what a server does not insist on in the oldest review version. Another version or kind
/// than that of the request is never accepted.
fn is_bare(answer: &Answer) -> bool {
    let of_review = |field: &str, expected: &str| {
        let value = &answer.body[field];
        value.is_null() || value == "" || value == expected
    };
    of_review("kind", "ConversionReview") && of_review("apiVersion", &format!("apiextensions.k8s.io/{BETA}"))
}

/// What surrounds the objects, also those of a refusal.
pub(super) fn envelope(review: &Review, answer: &Answer) -> Result<(), Mismatch> {
    let body = &answer.body;
    if body["kind"] != "ConversionReview" {
        return wrong("/kind", "review-kind", json!("ConversionReview"), &body["kind"]);
    }
    let api_version = format!("apiextensions.k8s.io/{}", review.version);
    if body["apiVersion"] != api_version.as_str() {
        return wrong("/apiVersion", "review-version", json!(api_version), &body["apiVersion"]);
    }
    if body["response"]["uid"] != UID {
        return wrong("/response/uid", "uid", json!("the uid of the request"), &body["response"]["uid"]);
    }
    Ok(())
}

/// A refusal in the protocol, with a message.
pub(super) fn refusal(review: &Review, answer: &Answer) -> Result<(), Mismatch> {
    answered(answer)?;
    envelope(review, answer)?;
    let result = &answer.body["response"]["result"];
    match result["status"].as_str() {
        Some("Success") => {
            let summary = "the converter says Success for what it cannot know".to_owned();
            let actual = answer.body["response"].clone();
            return Err(Mismatch::new(json!("a status other than Success"), actual, "", "converted", summary));
        }
        Some(_) => {}
        None => return wrong("/response/result/status", "result", json!("Failed"), &result["status"]),
    }
    if result["message"].as_str().is_none_or(str::is_empty) {
        return wrong("/response/result/message", "no-message", json!("what cannot be converted"), &result["message"]);
    }
    Ok(())
}

/// A status 4xx.
pub(super) fn client_error(answer: &Answer) -> Result<(), Mismatch> {
    if (400..500).contains(&answer.status) {
        return Ok(());
    }
    let summary = match answer.status {
        0 => answered(answer).err().map(|mismatch| mismatch.summary).unwrap_or_default(),
        status => format!("a body that is no review was answered with status {status}"),
    };
    let actual = json!({ "status": answer.status, "body": answer.body });
    Err(Mismatch::new(json!("a status 4xx"), actual, "", &format!("status-{}", answer.status), summary))
}

fn wrong<T>(place: &str, reason: &str, expected: Value, actual: &Value) -> Result<T, Mismatch> {
    let shown = if actual.is_null() { json!("(missing)") } else { actual.clone() };
    let at = place.trim_start_matches('/').replace('/', ".");
    let verb = if actual.is_null() { "is missing" } else { "is wrong" };
    let summary = format!("{at} of the answer {verb}");
    Err(Mismatch::new(expected, shown, place, reason, summary))
}

fn cut(text: &str) -> String {
    text.chars().take(200).collect()
}
