//! Checks of whether a request is accepted, and of how it is rejected.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{
        Mismatch,
        evaluate::same_value,
        mismatch::{shown, summary},
        outcome::accepted,
    },
    Given,
};
use crate::transcript::{Answer, FormOfBody};

/// 2xx, whatever the body is.
pub(super) fn accepted_with_any_body(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.is_accepted() {
        return Ok(());
    }
    accepted(given.answer)
}

/// Any code but 2xx, whatever the body is.
pub(super) fn not_accepted(given: &Given<'_>) -> Result<(), Mismatch> {
    let status = given.answer.status;
    if !given.answer.is_accepted() {
        return Ok(());
    }
    let summary = format!("expected the request to be rejected, got {status}");
    Err(Mismatch::new(json!("4xx"), shown(given.answer), "", "accepted", summary))
}

/// `{"type": text}`: the body is in this form, whatever the code is. The request must have asked for a form.
pub(super) fn media_type(given: &Given<'_>) -> Result<(), Mismatch> {
    let expected = given.text("type");
    let actual = given.answer.form.as_ref().map(FormOfBody::media_type).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let found = if actual.is_empty() { "has no Content-Type".to_owned() } else { format!("is {actual}") };
    let summary = format!("the answer should be {expected}, but {found}");
    Err(Mismatch::new(json!(expected), json!(actual), "", "other-form", summary))
}

/// 422 with causes, or accepted: a server may overlook what is invalid, but if it rejects it, it says why.
pub(super) fn lists_causes(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.is_accepted() || !given.answer.causes().is_empty() {
        return Ok(());
    }
    let summary = format!("the answer lists no causes: {}", summary(given.answer));
    Err(Mismatch::new(json!("422 with details.causes"), shown(given.answer), "", "no-causes", summary))
}

/// Accepted, if the other answer is.
pub(super) fn accepted_if(given: &Given<'_>) -> Result<(), Mismatch> {
    let other = given.looked_at()?;
    if let Some(broken) = [other, given.answer].into_iter().find(|answer| answer.status >= 500) {
        let summary = format!("the server failed with code {}", broken.status);
        return Err(Mismatch::new(json!("an answer below 500"), json!(broken.status), "", "server-error", summary));
    }
    if !other.is_accepted() || given.answer.is_accepted() {
        return Ok(());
    }
    let causes = given.answer.causes();
    let place = causes.first().map_or("", |cause| &cause.field);
    let summary = format!("the other request is accepted, but this one is rejected with code {}", given.answer.status);
    Err(Mismatch::new(
        json!("2xx"),
        json!({ "status": given.answer.status, "causes": causes }),
        place,
        "refused",
        summary,
    ))
}

/// `{"status": code, "reason": text}`: rejected with this code, and a `Status` with this reason.
pub(super) fn refused_as(given: &Given<'_>) -> Result<(), Mismatch> {
    let actual = json!({ "status": given.answer.status, "reason": given.answer.reason() });
    let kind = given.answer.body.get("kind").and_then(Value::as_str);
    if actual == *given.arguments && kind == Some("Status") {
        return Ok(());
    }
    let (status, wanted) = (&given.arguments["status"], given.arguments["reason"].as_str().unwrap_or_default());
    // Else both sides would read alike.
    let lacking = if actual == *given.arguments { " without a Status" } else { "" };
    let message = format!("expected {status} {wanted}, got {}{lacking}", summary(given.answer));
    let reason = format!("status-{}", given.answer.status);
    Err(Mismatch::new(given.arguments.clone(), actual, "", reason.trim_end(), message))
}

/// `{"status": code, "reason": text}`: accepted, or rejected with this code and reason.
pub(super) fn accepted_or_refused_as(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.is_accepted() { accepted(given.answer) } else { refused_as(given) }
}

/// Not both answers are accepted.
pub(super) fn not_both(given: &Given<'_>) -> Result<(), Mismatch> {
    if !given.looked_at()?.is_accepted() || !given.answer.is_accepted() {
        return Ok(());
    }
    let summary = "two requests were accepted of which only one can be".to_owned();
    Err(Mismatch::new(json!("one of them accepted"), json!("both accepted"), "", "both-accepted", summary))
}

/// A rejection is a `v1` `Status` of a failure, with the code of the response, a reason and a message.
pub(super) fn is_status(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.is_accepted() {
        return Ok(());
    }
    let body = &given.answer.body;
    let wanted = json!({ "apiVersion": "v1", "kind": "Status", "status": "Failure", "code": given.answer.status });
    let part = |name: &str| (name.to_owned(), body.get(name).cloned().unwrap_or_default());
    let actual = Value::Object(["apiVersion", "kind", "status", "code"].into_iter().map(part).collect());
    if wanted != actual {
        let summary = "the rejection is no Status that fits its code".to_owned();
        return Err(Mismatch::new(wanted, actual, "", "no-status", summary));
    }
    let has = |name: &str| body.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    match ["reason", "message"].into_iter().find(|name| !has(name)) {
        None => Ok(()),
        Some(name) => {
            let summary = format!("the Status has no {name}");
            Err(Mismatch::new(json!("a text"), json!(body.get(name)), name, "missing", summary))
        }
    }
}

/// A rejection has the reason that belongs to its code (REST-073).
pub(super) fn reason_of_code(given: &Given<'_>) -> Result<(), Mismatch> {
    let reason = given.answer.reason();
    let reasons: &[&str] = match given.answer.status {
        400 => &["BadRequest"],
        404 => &["NotFound"],
        405 => &["MethodNotAllowed"],
        406 => &["NotAcceptable"],
        409 => &["AlreadyExists", "Conflict"],
        410 => &["Expired"],
        413 => &["RequestEntityTooLarge"],
        415 => &["UnsupportedMediaType"],
        422 => &["Invalid"],
        _ => return Ok(()),
    };
    if reasons.contains(&reason) {
        return Ok(());
    }
    let summary = format!("the reason of a {} is `{reason}`", given.answer.status);
    Err(Mismatch::new(json!(reasons), json!(reason), "reason", "other-reason", summary))
}

/// `{"pointer": text, "value": value}`: rejected with a `Status` that has this value at this place; null means none.
pub(super) fn rejected_with(given: &Given<'_>) -> Result<(), Mismatch> {
    not_accepted(given)?;
    let pointer = given.text("pointer");
    let value = given.answer.body.pointer(pointer).unwrap_or(&Value::Null);
    if *value == given.arguments["value"] {
        return Ok(());
    }
    let summary = format!("the rejection has something else at {pointer}");
    Err(Mismatch::new(given.arguments["value"].clone(), value.clone(), pointer, "other-value", summary))
}

/// 504 that says that the largest revision is too large, unless those of the server, of which the other answer shows one, are no numbers:
/// then none is large.
pub(super) fn never_came(given: &Given<'_>) -> Result<(), Mismatch> {
    let revision = given.looked_at()?.revision().unwrap_or_default();
    if !revision.parse::<i64>().is_ok_and(|revision| revision < i64::MAX) {
        return Ok(());
    }
    refused_as(&Given { arguments: &json!({ "status": 504, "reason": "Timeout" }), ..*given })?;
    let reason = &given.answer.body["details"]["causes"][0]["reason"];
    if *reason == "ResourceVersionTooLarge" {
        return Ok(());
    }
    let summary = "the rejection does not say that the resourceVersion is too large".to_owned();
    let place = "/details/causes/0/reason";
    Err(Mismatch::new(json!("ResourceVersionTooLarge"), reason.clone(), place, "other-value", summary))
}

/// `{"from": {"field", "pointer"}, "to": {"field", "pointer"}}`: the other answer is about the same value at the place
/// `from`, this one at `to`. Both are accepted, with the same value there; or both are rejected with the same code and
/// causes, apart from the prefix of their fields.
pub(super) fn moved(given: &Given<'_>) -> Result<(), Mismatch> {
    let (before, now) = (given.looked_at()?, given.answer);
    let place = |side: &str, part: &str| given.arguments[side][part].as_str().unwrap_or_default();
    if before.is_accepted() && now.is_accepted() {
        let at = |answer: &Answer, side: &str| answer.body.pointer(place(side, "pointer")).cloned().unwrap_or_default();
        return same_value(&at(before, "from"), &at(now, "to"), place("to", "pointer"));
    }
    let (from, to) = (place("from", "field"), place("to", "field"));
    let mut expected = before.causes();
    for cause in &mut expected {
        if let Some(behind) = cause.field.strip_prefix(from) {
            cause.field = format!("{to}{behind}");
        }
    }
    expected.sort();
    let actual = now.causes();
    if before.status == now.status && before.reason() == now.reason() && expected == actual && now.status < 500 {
        return Ok(());
    }
    let differs = actual.iter().find(|cause| !expected.contains(cause));
    let differs = differs.or_else(|| expected.iter().find(|cause| !actual.contains(cause)));
    let summary = format!("code {} at one place, and code {} at another", before.status, now.status);
    Err(Mismatch::new(
        json!({ "status": before.status, "causes": expected }),
        json!({ "status": now.status, "causes": actual }),
        differs.map_or("", |cause| &cause.field),
        "other-place",
        summary,
    ))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, Given};
    use crate::transcript::Answer;

    fn accepted(body: Value) -> Answer {
        let mut body = body;
        body["kind"] = json!("X");
        Answer { status: 201, body, ..Answer::default() }
    }

    fn refused(field: &str) -> Answer {
        let causes = json!([{ "field": field, "reason": "FieldValueInvalid" }]);
        let body = json!({ "kind": "Status", "reason": "Invalid", "details": { "causes": causes } });
        Answer { status: 422, body, ..Answer::default() }
    }

    #[rstest]
    #[case::both(accepted(json!({})), accepted(json!({})), true)]
    #[case::neither(refused("a"), refused("b"), true)]
    #[case::looser(refused("a"), accepted(json!({})), true)]
    #[case::tighter(accepted(json!({})), refused("a"), false)]
    #[case::broken(refused("a"), Answer { status: 500, ..Answer::default() }, false)]
    fn acceptance_is_monotone(#[case] other: Answer, #[case] answer: Answer, #[case] holds: bool) {
        let given = Given { arguments: &Value::Null, answer: &answer, other: Some(&other), calls: &[] };
        assert_eq!(evaluate("accepted-if@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::the_same(422, "Invalid", true)]
    #[case::another_code(409, "Invalid", false)]
    #[case::another_reason(422, "Conflict", false)]
    fn refusals_have_a_reason(#[case] status: u16, #[case] reason: &str, #[case] holds: bool) {
        let (answer, arguments) = (refused("a"), json!({ "status": status, "reason": reason }));
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("refused-as@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::told("42", 504, "ResourceVersionTooLarge", true)]
    #[case::for_another_reason("42", 504, "Other", false)]
    #[case::another_code("42", 410, "ResourceVersionTooLarge", false)]
    #[case::no_numbers("a-42", 400, "Other", true)]
    #[case::large_ones("9223372036854775807", 200, "Other", true)]
    fn what_never_came_is_told(#[case] revision: &str, #[case] status: u16, #[case] cause: &str, #[case] holds: bool) {
        let shown = accepted(json!({ "metadata": { "resourceVersion": revision } }));
        let body = json!({ "kind": "Status", "reason": "Timeout", "details": { "causes": [{ "reason": cause }] } });
        let answer = Answer { status, body, ..Answer::default() };
        let given = Given { arguments: &Value::Null, answer: &answer, other: Some(&shown), calls: &[] };
        assert_eq!(evaluate("never-came@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::no_reason(json!({"kind": "Status"}), "expected 404 NotFound, got 404 without a reason")]
    #[case::no_status(json!({"reason": "NotFound"}), "expected 404 NotFound, got 404 NotFound without a Status")]
    fn what_a_refusal_lacks_is_told(#[case] body: Value, #[case] expected: &str) {
        let answer = Answer { status: 404, body, ..Answer::default() };
        let given = Given {
            arguments: &json!({ "status": 404, "reason": "NotFound" }),
            answer: &answer,
            other: None,
            calls: &[],
        };
        assert_eq!(evaluate("refused-as@1", &given).map_err(|mismatch| mismatch.summary), Err(expected.to_owned()));
    }

    #[rstest]
    #[case::value(accepted(json!({"a": [1]})), accepted(json!({"b": {"c": [1]}})), true)]
    #[case::other_value(accepted(json!({"a": [1]})), accepted(json!({"b": {"c": [2]}})), false)]
    #[case::cause(refused("a[0].x"), refused("b.c[0].x"), true)]
    #[case::other_cause(refused("a[0].x"), refused("b.c[1].x"), false)]
    #[case::no_field(refused("<nil>"), refused("<nil>"), true)]
    #[case::acceptance(refused("a"), accepted(json!({"b": {"c": 1}})), false)]
    fn places_do_not_matter(#[case] other: Answer, #[case] answer: Answer, #[case] holds: bool) {
        let arguments =
            json!({ "from": { "field": "a", "pointer": "/a" }, "to": { "field": "b.c", "pointer": "/b/c" } });
        let given = Given { arguments: &arguments, answer: &answer, other: Some(&other), calls: &[] };
        assert_eq!(evaluate("moved@1", &given).is_ok(), holds);
    }

    fn status(code: u16, fields: Value) -> Answer {
        let mut body = json!({ "apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code, "reason": "Conflict", "message": "no" });
        for (name, value) in fields.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        Answer { status: code, body, ..Answer::default() }
    }

    #[rstest]
    #[case::whole(status(409, json!({})), None)]
    #[case::accepted(accepted(json!({})), None)]
    #[case::another_code(status(409, json!({ "code": 400 })), Some("no-status"))]
    #[case::no_version(status(409, json!({ "apiVersion": null })), Some("no-status"))]
    #[case::success(status(409, json!({ "status": "Success" })), Some("no-status"))]
    #[case::no_reason(status(409, json!({ "reason": "" })), Some("missing"))]
    #[case::no_message(status(409, json!({ "message": null })), Some("missing"))]
    fn a_rejection_is_a_status(#[case] answer: Answer, #[case] expected: Option<&str>) {
        let given = Given { arguments: &Value::Null, answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("is-status@1", &given).err().map(|found| found.reason).as_deref(), expected);
    }

    #[rstest]
    #[case::conflict(409, "Conflict", true)]
    #[case::taken(409, "AlreadyExists", true)]
    #[case::another(409, "Invalid", false)]
    #[case::none(415, "", false)]
    #[case::of_a_code_without_one(500, "", true)]
    fn a_code_has_its_reasons(#[case] code: u16, #[case] reason: &str, #[case] holds: bool) {
        let answer = status(code, json!({ "reason": reason }));
        let given = Given { arguments: &Value::Null, answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("reason-of-code@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::none(refused("a"), refused("b"), true)]
    #[case::one(accepted(json!({})), refused("b"), true)]
    #[case::both(accepted(json!({})), accepted(json!({})), false)]
    fn only_one_is_accepted(#[case] other: Answer, #[case] answer: Answer, #[case] holds: bool) {
        let given = Given { arguments: &Value::Null, answer: &answer, other: Some(&other), calls: &[] };
        assert_eq!(evaluate("not-both@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::accepted(accepted(json!({})), true)]
    #[case::as_it_may_be(status(409, json!({})), true)]
    #[case::another_reason(status(409, json!({ "reason": "AlreadyExists" })), false)]
    #[case::failed(status(500, json!({})), false)]
    fn one_that_may_lose(#[case] answer: Answer, #[case] holds: bool) {
        let arguments = json!({ "status": 409, "reason": "Conflict" });
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("accepted-or-refused-as@1", &given).is_ok(), holds);
    }

    #[rstest]
    #[case::the_same("/reason", json!("Conflict"), true)]
    #[case::another("/reason", json!("Invalid"), false)]
    #[case::none("/details/kind", Value::Null, true)]
    fn what_a_rejection_says(#[case] pointer: &str, #[case] value: Value, #[case] holds: bool) {
        let (arguments, answer) = (json!({ "pointer": pointer, "value": value }), status(409, json!({})));
        let given = Given { arguments: &arguments, answer: &answer, other: None, calls: &[] };
        assert_eq!(evaluate("rejected-with@1", &given).is_ok(), holds);
        let accepted = Given { answer: &accepted(json!({ "reason": "Conflict" })), ..given };
        assert!(evaluate("rejected-with@1", &accepted).is_err());
    }
}
