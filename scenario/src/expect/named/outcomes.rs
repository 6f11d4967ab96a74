//! Checks of whether a request is accepted, and of how it is rejected.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{
        Mismatch,
        evaluate::same_value,
        mismatch::{shown, summary},
        outcome::{accepted, status},
    },
    Given,
};
use crate::{
    scenario::Place,
    transcript::{Answer, FormOfBody},
};

/// 2xx with this code. What is rejected fails as it does everywhere.
pub(super) fn accepted_as(given: &Given<'_>, code: u16) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    status(code, given.answer)
}

/// 2xx, whatever the body is.
pub(super) fn accepted_with_any_body(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.is_accepted() {
        return Ok(());
    }
    accepted(given.answer)
}

pub(super) fn not_accepted(given: &Given<'_>) -> Result<(), Mismatch> {
    if !given.answer.is_accepted() {
        return Ok(());
    }
    let summary = format!("{}, expected a rejection", given.answer.status);
    Err(Mismatch::new(json!("4xx"), shown(given.answer), "", "accepted", summary))
}

pub(super) fn media_type(given: &Given<'_>, expected: &str) -> Result<(), Mismatch> {
    let actual = given.answer.form.as_ref().map(FormOfBody::media_type).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let found = if actual.is_empty() { "has no Content-Type".to_owned() } else { format!("is {actual}") };
    let summary = format!("the answer should be {expected}, but {found}");
    Err(Mismatch::new(json!(expected), json!(actual), "", "other-form", summary))
}

pub(super) fn lists_causes(given: &Given<'_>) -> Result<(), Mismatch> {
    let wanted = json!("422 with details.causes");
    if given.answer.is_accepted() {
        let summary = format!("{}, expected a rejection with causes", given.answer.status);
        return Err(Mismatch::new(wanted, shown(given.answer), "", Mismatch::SHOWS_NOTHING, summary));
    }
    if !given.answer.causes().is_empty() {
        return Ok(());
    }
    let summary = format!("the answer lists no causes: {}", summary(given.answer));
    Err(Mismatch::new(wanted, shown(given.answer), "", "no-causes", summary))
}

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
    let summary = format!("{}, although the other request is accepted", summary(given.answer));
    Err(Mismatch::new(
        json!("2xx"),
        json!({ "status": given.answer.status, "causes": causes }),
        place,
        "refused",
        summary,
    ))
}

pub(super) fn refused_as(given: &Given<'_>, status: u16, reason: &str) -> Result<(), Mismatch> {
    let wanted = json!({ "status": status, "reason": reason });
    let actual = json!({ "status": given.answer.status, "reason": given.answer.reason() });
    let kind = given.answer.body.get("kind").and_then(Value::as_str);
    if actual == wanted && kind == Some("Status") {
        return Ok(());
    }
    // Else both sides would read alike.
    let lacking = if actual == wanted { " without a Status" } else { "" };
    let summary = format!("{}{lacking}, expected {status} {reason}", summary(given.answer));
    Err(Mismatch::new(wanted, actual, "", &format!("status-{}", given.answer.status), summary))
}

pub(super) fn accepted_or_refused_as(given: &Given<'_>, status: u16, reason: &str) -> Result<(), Mismatch> {
    if given.answer.is_accepted() { accepted(given.answer) } else { refused_as(given, status, reason) }
}

pub(super) fn not_both(given: &Given<'_>) -> Result<(), Mismatch> {
    if !given.looked_at()?.is_accepted() || !given.answer.is_accepted() {
        return Ok(());
    }
    let summary = "two requests were accepted of which only one can be".to_owned();
    Err(Mismatch::new(json!("one of them accepted"), json!("both accepted"), "", "both-accepted", summary))
}

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

pub(super) fn rejected_with(given: &Given<'_>, pointer: &str, wanted: &Value) -> Result<(), Mismatch> {
    not_accepted(given)?;
    let value = given.answer.body.pointer(pointer).unwrap_or(&Value::Null);
    if value == wanted {
        return Ok(());
    }
    let summary = format!("the rejection has something else at {pointer}");
    Err(Mismatch::new(wanted.clone(), value.clone(), pointer, "other-value", summary))
}

pub(super) fn never_came(given: &Given<'_>) -> Result<(), Mismatch> {
    let revision = given.looked_at()?.revision().unwrap_or_default();
    if !revision.parse::<i64>().is_ok_and(|revision| revision < i64::MAX) {
        return Ok(());
    }
    refused_as(given, 504, "Timeout")?;
    let reason = &given.answer.body["details"]["causes"][0]["reason"];
    if *reason == "ResourceVersionTooLarge" {
        return Ok(());
    }
    let summary = "the rejection does not say that the resourceVersion is too large".to_owned();
    let place = "/details/causes/0/reason";
    Err(Mismatch::new(json!("ResourceVersionTooLarge"), reason.clone(), place, "other-value", summary))
}

pub(super) fn moved(given: &Given<'_>, from: &Place, to: &Place) -> Result<(), Mismatch> {
    let (before, now) = (given.looked_at()?, given.answer);
    if before.is_accepted() && now.is_accepted() {
        let at = |answer: &Answer, place: &Place| answer.body.pointer(&place.pointer).cloned().unwrap_or_default();
        return same_value(&at(before, from), &at(now, to), &to.pointer);
    }
    let mut expected = before.causes();
    for cause in &mut expected {
        if let Some(behind) = cause.field.strip_prefix(&from.field) {
            cause.field = format!("{}{behind}", to.field);
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
    use crate::{
        expect::Mismatch,
        scenario::{NamedCheck, Place},
        transcript::Answer,
    };

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
        assert_eq!(evaluate(&NamedCheck::AcceptedIf, &Given::against(&answer, &other)).is_ok(), holds);
    }

    #[rstest]
    #[case::the_same(accepted(json!({})), None)]
    #[case::another_code(Answer { status: 200, ..accepted(json!({})) }, Some("status-200"))]
    #[case::rejected(refused("a"), Some("refused-422"))]
    fn a_code_of_what_is_accepted(#[case] answer: Answer, #[case] expected: Option<&str>) {
        let found = evaluate(&NamedCheck::AcceptedAs { status: 201 }, &Given::of(&answer));
        assert_eq!(found.err().map(|found| found.reason).as_deref(), expected);
    }

    #[rstest]
    #[case::the_same(422, "Invalid", true)]
    #[case::another_code(409, "Invalid", false)]
    #[case::another_reason(422, "Conflict", false)]
    fn refusals_have_a_reason(#[case] status: u16, #[case] reason: &str, #[case] holds: bool) {
        let check = NamedCheck::RefusedAs { status, reason: reason.to_owned() };
        assert_eq!(evaluate(&check, &Given::of(&refused("a"))).is_ok(), holds);
    }

    #[rstest]
    #[case::too_large("42", 504, "ResourceVersionTooLarge", true)]
    #[case::for_another_reason("42", 504, "Other", false)]
    #[case::another_code("42", 410, "ResourceVersionTooLarge", false)]
    #[case::no_numbers("a-42", 400, "Other", true)]
    #[case::large_ones("9223372036854775807", 200, "Other", true)]
    fn what_never_came_is_told(#[case] revision: &str, #[case] status: u16, #[case] cause: &str, #[case] holds: bool) {
        let shown = accepted(json!({ "metadata": { "resourceVersion": revision } }));
        let body = json!({ "kind": "Status", "reason": "Timeout", "details": { "causes": [{ "reason": cause }] } });
        let answer = Answer { status, body, ..Answer::default() };
        assert_eq!(evaluate(&NamedCheck::NeverCame, &Given::against(&answer, &shown)).is_ok(), holds);
    }

    #[rstest]
    #[case::no_reason(json!({"kind": "Status"}), "404 without a reason, expected 404 NotFound")]
    #[case::no_status(json!({"reason": "NotFound"}), "404 NotFound without a Status, expected 404 NotFound")]
    fn what_a_refusal_lacks_is_told(#[case] body: Value, #[case] expected: &str) {
        let answer = Answer { status: 404, body, ..Answer::default() };
        let check = NamedCheck::RefusedAs { status: 404, reason: "NotFound".to_owned() };
        let found = evaluate(&check, &Given::of(&answer));
        assert_eq!(found.map_err(|mismatch| mismatch.summary), Err(expected.to_owned()));
    }

    #[rstest]
    #[case::value(accepted(json!({"a": [1]})), accepted(json!({"b": {"c": [1]}})), true)]
    #[case::other_value(accepted(json!({"a": [1]})), accepted(json!({"b": {"c": [2]}})), false)]
    #[case::cause(refused("a[0].x"), refused("b.c[0].x"), true)]
    #[case::other_cause(refused("a[0].x"), refused("b.c[1].x"), false)]
    #[case::no_field(refused("<nil>"), refused("<nil>"), true)]
    #[case::acceptance(refused("a"), accepted(json!({"b": {"c": 1}})), false)]
    fn places_do_not_matter(#[case] other: Answer, #[case] answer: Answer, #[case] holds: bool) {
        let place = |field: &str, pointer: &str| Place { field: field.to_owned(), pointer: pointer.to_owned() };
        let check = NamedCheck::Moved { from: place("a", "/a"), to: place("b.c", "/b/c") };
        assert_eq!(evaluate(&check, &Given::against(&answer, &other)).is_ok(), holds);
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
        let found = evaluate(&NamedCheck::IsStatus, &Given::of(&answer));
        assert_eq!(found.err().map(|found| found.reason).as_deref(), expected);
    }

    #[rstest]
    #[case::conflict(409, "Conflict", true)]
    #[case::taken(409, "AlreadyExists", true)]
    #[case::another(409, "Invalid", false)]
    #[case::none(415, "", false)]
    #[case::of_a_code_without_one(500, "", true)]
    fn a_code_has_its_reasons(#[case] code: u16, #[case] reason: &str, #[case] holds: bool) {
        let answer = status(code, json!({ "reason": reason }));
        assert_eq!(evaluate(&NamedCheck::ReasonOfCode, &Given::of(&answer)).is_ok(), holds);
    }

    #[rstest]
    #[case::none(refused("a"), refused("b"), true)]
    #[case::one(accepted(json!({})), refused("b"), true)]
    #[case::both(accepted(json!({})), accepted(json!({})), false)]
    fn only_one_is_accepted(#[case] other: Answer, #[case] answer: Answer, #[case] holds: bool) {
        assert_eq!(evaluate(&NamedCheck::NotBoth, &Given::against(&answer, &other)).is_ok(), holds);
    }

    #[rstest]
    #[case::accepted(accepted(json!({})), true)]
    #[case::as_it_may_be(status(409, json!({})), true)]
    #[case::another_reason(status(409, json!({ "reason": "AlreadyExists" })), false)]
    #[case::failed(status(500, json!({})), false)]
    fn one_that_may_lose(#[case] answer: Answer, #[case] holds: bool) {
        let check = NamedCheck::AcceptedOrRefusedAs { status: 409, reason: "Conflict".to_owned() };
        assert_eq!(evaluate(&check, &Given::of(&answer)).is_ok(), holds);
    }

    /// What is accepted does not hold, either: it shows nothing of rejections.
    #[rstest]
    #[case::listed(refused("a"), None)]
    #[case::none(status(422, json!({})), Some("no-causes"))]
    #[case::accepted(accepted(json!({})), Some(Mismatch::SHOWS_NOTHING))]
    fn a_rejection_lists_causes(#[case] answer: Answer, #[case] expected: Option<&str>) {
        let found = evaluate(&NamedCheck::ListsCauses, &Given::of(&answer));
        assert_eq!(found.err().map(|found| found.reason).as_deref(), expected);
    }

    #[rstest]
    #[case::the_same("/reason", json!("Conflict"), true)]
    #[case::another("/reason", json!("Invalid"), false)]
    #[case::none("/details/kind", Value::Null, true)]
    fn what_a_rejection_says(#[case] pointer: &str, #[case] value: Value, #[case] holds: bool) {
        let check = NamedCheck::RejectedWith { pointer: pointer.to_owned(), value };
        assert_eq!(evaluate(&check, &Given::of(&status(409, json!({})))).is_ok(), holds);
        assert!(evaluate(&check, &Given::of(&accepted(json!({ "reason": "Conflict" })))).is_err());
    }
}
