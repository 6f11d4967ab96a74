//! Whether an expectation holds of an answer.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{equality::difference, named};
use crate::{
    scenario::{Cause, Expectation},
    transcript::{Answer, GroupListing, Transcript},
};

/// How an answer misses an expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// What would have to be.
    pub expected: Value,
    /// What is.
    pub actual: Value,
    /// Where: a JSON pointer into the object, or the field of a cause; may be empty.
    pub place: String,
    /// Why, as one word or a few joined by dashes; part of the signature.
    pub reason: String,
    /// The whole in one sentence.
    pub summary: String,
}

impl Mismatch {
    /// A mismatch of two values, with one sentence.
    pub fn new(expected: Value, actual: Value, place: &str, reason: &str, summary: String) -> Self {
        Self { expected, actual, place: place.to_owned(), reason: reason.to_owned(), summary }
    }

    pub(super) fn no_answer() -> Self {
        Self::new(Value::Null, Value::Null, "", "no-answer", "the step has no answer".to_owned())
    }
}

/// Whether `expectation` holds of `answer`, whose earlier answers stand in `transcript`.
pub fn holds(expectation: &Expectation, answer: &Answer, transcript: &Transcript) -> Result<(), Mismatch> {
    match expectation {
        Expectation::Accepted => accepted(answer),
        Expectation::Status(code) => status(*code, answer),
        Expectation::Refused => refused(answer),
        Expectation::BadRequest => bad_request(answer),
        Expectation::Causes(causes) => exact_causes(causes, answer, answer.causes()),
        Expectation::CausesInclude(causes) => included_causes(causes, answer),
        Expectation::Content(content) => {
            accepted(answer)?;
            same_value(content, &answer.content(), "")
        }
        Expectation::At { pointer, value } => {
            accepted(answer)?;
            same_option(value.as_ref(), answer.body.pointer(pointer), pointer)
        }
        Expectation::SameContent { r#as } => {
            accepted(answer)?;
            same_value(&earlier(transcript, *r#as)?.content(), &answer.content(), "")
        }
        Expectation::SameAt { pointer, r#as, other } => {
            accepted(answer)?;
            same_option(earlier(transcript, *r#as)?.body.pointer(other), answer.body.pointer(pointer), pointer)
        }
        Expectation::SameOutcome { r#as } => same_outcome(earlier(transcript, *r#as)?, answer),
        Expectation::SameAcceptance { r#as } => {
            let expected = earlier(transcript, *r#as)?;
            judged_by_the_server(expected, answer)?;
            if expected.is_accepted() == answer.is_accepted() {
                Ok(())
            } else {
                Err(other_acceptance(expected, answer))
            }
        }
        Expectation::SameRevision { r#as } => {
            let expected = earlier(transcript, *r#as)?;
            same_field(expected, answer, "/metadata/resourceVersion")
        }
        Expectation::SameGeneration { r#as } => {
            let expected = earlier(transcript, *r#as)?;
            same_field(expected, answer, "/metadata/generation")
        }
        Expectation::UnknownFieldWarnings(fields) => warnings(fields, answer),
        Expectation::DuplicateFieldWarnings(expected) => duplicate_warnings(*expected, answer),
        Expectation::StrictRefusal(fields) => strict_refusal(fields, answer),
        Expectation::GroupVersions(versions) => group_versions(versions, answer),
        Expectation::GroupOrder(versions) => group_order(versions, answer),
        Expectation::Named { check, of, arguments } => {
            let other = of.and_then(|of| transcript.answer(of));
            named::evaluate(check, &named::Given { arguments, answer, other })
        }
    }
}

fn earlier(transcript: &Transcript, step: usize) -> Result<&Answer, Mismatch> {
    transcript.answer(step).ok_or_else(Mismatch::no_answer)
}

pub(super) fn accepted(answer: &Answer) -> Result<(), Mismatch> {
    if answer.is_accepted() {
        if answer.body.get("kind").is_some_and(Value::is_string) {
            return Ok(());
        }
        let summary = "the request is accepted, but the answer is no Kubernetes object".to_owned();
        return Err(Mismatch::new(json!("an object with a kind"), answer.body.clone(), "", "no-object", summary));
    }
    let summary = format!("accepted was expected, the answer is {}", told(answer));
    Err(Mismatch::new(
        json!("2xx"),
        shown(answer),
        &first_field(answer),
        &format!("refused-{}", answer.status),
        summary,
    ))
}

fn status(code: u16, answer: &Answer) -> Result<(), Mismatch> {
    if answer.status == code {
        return Ok(());
    }
    let summary = format!("code {code} was expected, the answer is {}", told(answer));
    Err(Mismatch::new(json!(code), shown(answer), "", &format!("status-{}", answer.status), summary))
}

fn refused(answer: &Answer) -> Result<(), Mismatch> {
    let is_status = answer.body.get("kind").and_then(Value::as_str) == Some("Status");
    if (400..500).contains(&answer.status) && is_status {
        return Ok(());
    }
    let summary = format!("a refusal with a Status was expected, the answer is {}", told(answer));
    Err(Mismatch::new(json!("4xx with a Status"), shown(answer), "", &format!("status-{}", answer.status), summary))
}

/// 422 with exactly these causes; `actual` are those of the answer, sorted.
pub(super) fn exact_causes(expected: &[Cause], answer: &Answer, actual: Vec<Cause>) -> Result<(), Mismatch> {
    let mut expected = expected.to_vec();
    expected.sort();
    invalid(&expected, answer)?;
    if expected == actual {
        return Ok(());
    }
    let (missing, unexpected) = (minus(&expected, &actual), minus(&actual, &expected));
    Err(cause_mismatch(&expected, &actual, missing.first(), unexpected.first()))
}

fn included_causes(expected: &[Cause], answer: &Answer) -> Result<(), Mismatch> {
    let mut expected = expected.to_vec();
    expected.sort();
    let actual = invalid(&expected, answer)?;
    let missing = minus(&expected, &actual);
    if missing.is_empty() { Ok(()) } else { Err(cause_mismatch(&expected, &actual, missing.first(), None)) }
}

/// The causes of a 422 answer with the reason `Invalid`; anything else is a mismatch.
fn invalid(expected: &[Cause], answer: &Answer) -> Result<Vec<Cause>, Mismatch> {
    if answer.status == 422 && answer.reason() == "Invalid" {
        return Ok(answer.causes());
    }
    if answer.status == 422 {
        let summary = "the answer is 422, but its reason is not Invalid".to_owned();
        return Err(Mismatch::new(json!("Invalid"), json!(answer.reason()), "", "other-reason", summary));
    }
    let first = expected.first();
    let summary = match first {
        Some(cause) => {
            format!("422 with ({}, {}) was expected, the answer is {}", cause.field, cause.reason, told(answer))
        }
        None => format!("422 was expected, the answer is {}", told(answer)),
    };
    let place = first.map_or("", |cause| &cause.field);
    let reason = if answer.is_accepted() { "accepted".to_owned() } else { format!("status-{}", answer.status) };
    Err(Mismatch::new(json!({ "status": 422, "causes": expected }), shown(answer), place, &reason, summary))
}

/// What `from` holds more often than `other`; both sorted.
fn minus(from: &[Cause], other: &[Cause]) -> Vec<Cause> {
    let mut rest = other.to_vec();
    from.iter()
        .filter(|cause| match rest.iter().position(|candidate| candidate == *cause) {
            Some(at) => {
                rest.remove(at);
                false
            }
            None => true,
        })
        .cloned()
        .collect()
}

fn cause_mismatch(
    expected: &[Cause],
    actual: &[Cause],
    missing: Option<&Cause>,
    unexpected: Option<&Cause>,
) -> Mismatch {
    let (word, cause) = match (missing, unexpected) {
        (Some(cause), _) => ("missing", Some(cause)),
        (None, cause) => ("unexpected", cause),
    };
    let (place, reason, summary) = match cause {
        Some(cause) => (
            cause.field.as_str(),
            format!("{word}-{}", cause.reason),
            format!("the cause ({}, {}) is {word}", cause.field, cause.reason),
        ),
        None => ("", word.to_owned(), "the causes differ".to_owned()),
    };
    Mismatch::new(json!(expected), json!(actual), place, &reason, summary)
}

pub(super) fn same_value(expected: &Value, actual: &Value, base: &str) -> Result<(), Mismatch> {
    let Some(found) = difference(expected, actual) else { return Ok(()) };
    let pointer = format!("{base}{}", found.pointer);
    let summary = format!(
        "at {} the object differs: {}",
        if pointer.is_empty() { "the root" } else { &pointer },
        found.kind.word()
    );
    Err(Mismatch::new(expected.clone(), actual.clone(), &pointer, found.kind.word(), summary))
}

fn same_option(expected: Option<&Value>, actual: Option<&Value>, pointer: &str) -> Result<(), Mismatch> {
    match (expected, actual) {
        (None, None) => Ok(()),
        (Some(expected), Some(actual)) => same_value(expected, actual, pointer),
        (expected, actual) => {
            let word = if expected.is_some() { "missing" } else { "unexpected" };
            let shown = |value: Option<&Value>| value.cloned().unwrap_or(json!("(absent)"));
            let summary = format!("{pointer} is {word}");
            Err(Mismatch::new(shown(expected), shown(actual), pointer, word, summary))
        }
    }
}

/// The same value at a pointer of both answers, and one at all.
fn same_field(expected: &Answer, actual: &Answer, pointer: &str) -> Result<(), Mismatch> {
    accepted(expected)?;
    accepted(actual)?;
    let (expected, actual) = (expected.body.pointer(pointer), actual.body.pointer(pointer));
    if expected.is_none() && actual.is_none() {
        let (both, summary) = (json!("(absent)"), format!("{pointer} is missing in both answers"));
        return Err(Mismatch::new(json!("a value"), both, pointer, "missing", summary));
    }
    same_option(expected, actual, pointer)
}

/// What fails on the server's side says nothing of acceptance, and is never equal to anything.
fn judged_by_the_server(expected: &Answer, actual: &Answer) -> Result<(), Mismatch> {
    match [expected, actual].into_iter().find(|answer| answer.status >= 500) {
        None => Ok(()),
        Some(broken) => {
            let summary = format!("the server fails: {}", told(broken));
            let reason = format!("status-{}", broken.status);
            Err(Mismatch::new(json!("an answer below 500"), shown(broken), "", &reason, summary))
        }
    }
}

fn same_outcome(expected: &Answer, actual: &Answer) -> Result<(), Mismatch> {
    judged_by_the_server(expected, actual)?;
    if expected.is_accepted() != actual.is_accepted() {
        return Err(other_acceptance(expected, actual));
    }
    if expected.is_accepted() {
        // A create answers 201 and an update 200: only that both are accepted is compared.
        accepted(expected)?;
        accepted(actual)?;
        return same_value(&expected.content(), &actual.content(), "");
    }
    if (expected.status, expected.reason()) != (actual.status, actual.reason()) {
        let summary = format!("the answers differ: {} and {}", told(expected), told(actual));
        return Err(Mismatch::new(shown(expected), shown(actual), "", "other-refusal", summary));
    }
    let (expected, actual) = (expected.causes(), actual.causes());
    if expected == actual {
        return Ok(());
    }
    let (missing, unexpected) = (minus(&expected, &actual), minus(&actual, &expected));
    Err(cause_mismatch(&expected, &actual, missing.first(), unexpected.first()))
}

fn other_acceptance(expected: &Answer, actual: &Answer) -> Mismatch {
    let refusal = if expected.is_accepted() { actual } else { expected };
    let word = if expected.is_accepted() { "refused" } else { "accepted" };
    let summary = format!("the answers differ: {} and {}", told(expected), told(actual));
    Mismatch::new(shown(expected), shown(actual), &first_field(refusal), word, summary)
}

fn warnings(expected: &[String], answer: &Answer) -> Result<(), Mismatch> {
    accepted(answer)?;
    let actual: Vec<&str> = answer.warnings.iter().filter_map(|warning| unknown_field(warning)).collect();
    same_paths(expected, &actual, "warning")
}

/// 400 with the reason `BadRequest` and no causes.
pub(super) fn bad_request(answer: &Answer) -> Result<(), Mismatch> {
    status(400, answer)?;
    let causes = answer.causes();
    if answer.reason() == "BadRequest" && causes.is_empty() {
        return Ok(());
    }
    let summary = "the answer is 400, but not a BadRequest without causes".to_owned();
    let actual = json!({ "reason": answer.reason(), "causes": causes });
    Err(Mismatch::new(json!({ "reason": "BadRequest", "causes": [] }), actual, "", "other-reason", summary))
}

fn strict_refusal(expected: &[String], answer: &Answer) -> Result<(), Mismatch> {
    bad_request(answer)?;
    let message = answer.body.get("message").and_then(Value::as_str).unwrap_or("");
    let actual: Vec<&str> =
        message.match_indices("unknown field \"").filter_map(|(at, _)| unknown_field(&message[at..])).collect();
    same_paths(expected, &actual, "refusal")
}

/// The path in `unknown field "<path>"`.
fn unknown_field(text: &str) -> Option<&str> {
    let path = text.strip_prefix("unknown field \"")?;
    path.split('"').next()
}

fn same_paths(expected: &[String], actual: &[&str], what: &str) -> Result<(), Mismatch> {
    if expected.iter().map(String::as_str).eq(actual.iter().copied()) {
        return Ok(());
    }
    let (left, right): (BTreeSet<&str>, BTreeSet<&str>) =
        (expected.iter().map(String::as_str).collect(), actual.iter().copied().collect());
    let (reason, path) = match (left.difference(&right).next(), right.difference(&left).next()) {
        (Some(path), _) => ("not-reported", *path),
        (None, Some(path)) => ("wrongly-reported", *path),
        (None, None) => ("order", ""),
    };
    let summary = format!("the {what} lists other unknown fields: {reason} {path}");
    Err(Mismatch::new(json!(expected), json!(actual), "", reason, summary.trim_end().to_owned()))
}

fn group_versions(expected: &[String], answer: &Answer) -> Result<(), Mismatch> {
    let listing = listing(expected, answer)?;
    let (mut left, mut right) = (expected.to_vec(), listing.to_vec());
    left.sort();
    right.sort();
    if left == right {
        return Ok(());
    }
    let summary = "the group lists other versions".to_owned();
    Err(Mismatch::new(json!(left), json!(right), "", "other-versions", summary))
}

fn duplicate_warnings(expected: bool, answer: &Answer) -> Result<(), Mismatch> {
    accepted(answer)?;
    let actual: Vec<&String> =
        answer.warnings.iter().filter(|warning| warning.starts_with("duplicate field \"")).collect();
    if actual.is_empty() != expected {
        return Ok(());
    }
    let (reason, summary) = match expected {
        true => ("not-reported", "no warning tells of the doubled field"),
        false => ("wrongly-reported", "a warning tells of a doubled field, and there is none"),
    };
    Err(Mismatch::new(json!(expected), json!(actual), "", reason, summary.to_owned()))
}

fn group_order(expected: &[String], answer: &Answer) -> Result<(), Mismatch> {
    group_versions(expected, answer)?;
    let actual = listing(expected, answer)?;
    if expected != actual {
        let summary = "the group lists its versions in another order".to_owned();
        return Err(Mismatch::new(json!(expected), json!(actual), "", "order", summary));
    }
    match &answer.group {
        Some(listing) => prefers(expected.first(), listing),
        None => Ok(()),
    }
}

/// A plain discovery document names the preferred version; the aggregated form has no such field.
pub(super) fn prefers(first: Option<&String>, listing: &GroupListing) -> Result<(), Mismatch> {
    if listing.is_aggregated || listing.preferred.as_ref() == first {
        return Ok(());
    }
    let summary = "the preferred version is not the first".to_owned();
    Err(Mismatch::new(json!(first), json!(listing.preferred), "", "preferred", summary))
}

fn listing<'a>(expected: &[String], answer: &'a Answer) -> Result<&'a [String], Mismatch> {
    match &answer.group {
        Some(listing) => Ok(&listing.versions),
        None => {
            let summary = format!("the group is not listed; the answer is {}", told(answer));
            Err(Mismatch::new(json!(expected), shown(answer), "", "no-group", summary))
        }
    }
}

fn first_field(answer: &Answer) -> String {
    answer.causes().first().map(|cause| cause.field.clone()).unwrap_or_default()
}

/// An answer in a few words.
fn told(answer: &Answer) -> String {
    if answer.is_accepted() {
        return format!("{}", answer.status);
    }
    let causes = answer.causes();
    let list: Vec<String> = causes.iter().take(3).map(|cause| format!("({}, {})", cause.field, cause.reason)).collect();
    let more = if causes.len() > 3 { " …" } else { "" };
    format!("{} {} {}{more}", answer.status, answer.reason(), list.join(" ")).trim_end().to_owned()
}

/// An answer for the diff: the content if it was accepted, else code, reason, message and causes.
fn shown(answer: &Answer) -> Value {
    if answer.is_accepted() {
        return json!({ "status": answer.status, "content": answer.content() });
    }
    match answer.body.get("message") {
        Some(message) => {
            json!({ "status": answer.status, "reason": answer.reason(), "message": message, "causes": answer.causes() })
        }
        None => json!({ "status": answer.status, "body": answer.body }),
    }
}
