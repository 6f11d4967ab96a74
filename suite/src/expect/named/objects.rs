//! Checks of objects and their lists against another answer.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{Mismatch, equal, evaluate::accepted},
    Given,
};

/// The letters and digits of a generated suffix (REST-018).
const SUFFIX_LETTERS: &str = "bcdfghjklmnpqrstvwxz2456789";
/// How long it is.
const SUFFIX_LENGTH: usize = 5;

/// `{"pointer": text}`: there is a string at this place that is not empty.
pub(super) fn has(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let pointer = text(given, "pointer");
    let value = given.answer.body.pointer(pointer);
    if value.and_then(Value::as_str).is_some_and(|text| !text.is_empty()) {
        return Ok(());
    }
    let summary = format!("{pointer} holds no string");
    Err(Mismatch::new(json!("a string"), json!(value), pointer, "missing", summary))
}

/// `{"pointer": text}`: at this place there is another string than in the other answer.
pub(super) fn differs(given: &Given<'_>) -> Result<(), Mismatch> {
    has(given)?;
    accepted(given.looked_at()?)?;
    let pointer = text(given, "pointer");
    let (before, now) = (given.looked_at()?.body.pointer(pointer), given.answer.body.pointer(pointer));
    if before != now {
        return Ok(());
    }
    let summary = format!("{pointer} is the same as in another answer");
    Err(Mismatch::new(json!("another value"), json!(now), pointer, "same-value", summary))
}

/// `{"prefix": text}`: the object has a generated name with this prefix.
pub(super) fn generated_name(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let prefix = text(given, "prefix");
    let name = given.answer.body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let is_suffix =
        |suffix: &str| suffix.len() == SUFFIX_LENGTH && suffix.chars().all(|letter| SUFFIX_LETTERS.contains(letter));
    if name.strip_prefix(prefix).is_some_and(is_suffix) {
        return Ok(());
    }
    let summary = format!("the name is not the prefix with {SUFFIX_LENGTH} letters of `{SUFFIX_LETTERS}`");
    let wanted = json!(format!("{prefix}?????"));
    Err(Mismatch::new(wanted, json!(name), "/metadata/name", "other-name", summary))
}

/// `{"contents": [content, …]}`: accepted, and the content is one of these.
pub(super) fn one_of(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let contents = given.arguments["contents"].as_array().map_or(&[][..], Vec::as_slice);
    let content = given.answer.content();
    if contents.iter().any(|possible| equal(possible, &content)) {
        return Ok(());
    }
    let summary = format!("the content is none of the {} that are possible", contents.len());
    Err(Mismatch::new(json!(contents), content, "", "none-of-them", summary))
}

/// `{"status": code, "reason": text}`: accepted, or rejected with this code and reason.
pub(super) fn accepted_or_refused_as(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.is_accepted() { accepted(given.answer) } else { super::refused_as(given) }
}

/// Not both answers are accepted.
pub(super) fn not_both(given: &Given<'_>) -> Result<(), Mismatch> {
    if !given.looked_at()?.is_accepted() || !given.answer.is_accepted() {
        return Ok(());
    }
    let summary = "two requests were accepted of which only one can be".to_owned();
    Err(Mismatch::new(json!("one of them accepted"), json!("both accepted"), "", "both-accepted", summary))
}

/// `{"content": content}`: if the other answer is accepted, this one is, with this content.
pub(super) fn content_if(given: &Given<'_>) -> Result<(), Mismatch> {
    if !given.looked_at()?.is_accepted() {
        return Ok(());
    }
    accepted(given.answer)?;
    let (wanted, content) = (&given.arguments["content"], given.answer.content());
    if equal(wanted, &content) {
        return Ok(());
    }
    let summary = "the content is not that of the write that was accepted".to_owned();
    Err(Mismatch::new(wanted.clone(), content, "", "other-content", summary))
}

/// `{"from": number, "count": number, "expires": flag}`: the list holds so many items of the list in the other answer, from this one
/// on, in the same order. If it may expire, 410 will do.
pub(super) fn slice(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.arguments["expires"] == true && given.answer.status == 410 {
        return Ok(());
    }
    accepted(given.answer)?;
    let number = |name: &str| usize::try_from(given.arguments[name].as_u64().unwrap_or(0)).unwrap_or(usize::MAX);
    let items = |body: &Value| body["items"].as_array().cloned().unwrap_or_default();
    let whole = items(&given.looked_at()?.body);
    let wanted: Vec<Value> = whole.into_iter().skip(number("from")).take(number("count")).collect();
    let page = items(&given.answer.body);
    if page.len() == wanted.len() && page.iter().zip(&wanted).all(|(one, other)| equal(one, other)) {
        return Ok(());
    }
    let names = |items: &[Value]| items.iter().map(|item| item["metadata"]["name"].clone()).collect::<Vec<_>>();
    let (wanted_names, names) = (names(&wanted), names(&page));
    let reason = if wanted_names == names { "items-otherwise" } else { "other-items" };
    let summary = format!("the page is not the part of the list that is due: {reason}");
    if wanted_names == names {
        return Err(Mismatch::new(json!(wanted), json!(page), "items", reason, summary));
    }
    Err(Mismatch::new(json!(wanted_names), json!(names), "items", reason, summary))
}

/// `{"most": number}`: the list holds at most so many items, the first of the list in the other answer, and a token if that has more.
pub(super) fn begins(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let names = |body: &Value| -> Vec<Value> {
        body["items"].as_array().into_iter().flatten().map(|item| item["metadata"]["name"].clone()).collect()
    };
    let (whole, page) = (names(&given.looked_at()?.body), names(&given.answer.body));
    let most = usize::try_from(given.arguments["most"].as_u64().unwrap_or(0)).unwrap_or(usize::MAX);
    let token = given.answer.body.pointer("/metadata/continue").and_then(Value::as_str).unwrap_or_default();
    let fault = if page.len() > most {
        Some(("too-many", "the page holds more items than its limit"))
    } else if !whole.starts_with(&page) {
        Some(("other-items", "the page does not hold the first items of the list"))
    } else if page.len() < whole.len() && token.is_empty() {
        Some(("no-token", "the page has no token, and the list has more items"))
    } else {
        None
    };
    match fault {
        None => Ok(()),
        Some((reason, summary)) => Err(Mismatch::new(json!(whole), json!(page), "items", reason, summary.to_owned())),
    }
}

/// `{"pointer": text, "value": value}`: at this place there is something else.
pub(super) fn other_than(given: &Given<'_>) -> Result<(), Mismatch> {
    has(given)?;
    let pointer = text(given, "pointer");
    let value = given.answer.body.pointer(pointer);
    if value != given.arguments.get("value") {
        return Ok(());
    }
    let summary = format!("{pointer} is what the client sent");
    Err(Mismatch::new(json!("another value"), json!(value), pointer, "of-client", summary))
}

/// `{"pointer": text, "value": value}`: rejected with a `Status` that has this value at this place; null means none.
pub(super) fn rejected_with(given: &Given<'_>) -> Result<(), Mismatch> {
    super::not_accepted(given)?;
    let pointer = text(given, "pointer");
    let value = given.answer.body.pointer(pointer).unwrap_or(&Value::Null);
    if *value == given.arguments["value"] {
        return Ok(());
    }
    let summary = format!("the rejection has something else at {pointer}");
    Err(Mismatch::new(given.arguments["value"].clone(), value.clone(), pointer, "other-value", summary))
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

/// `{"count": number}`: `remainingItemCount` is this, or absent.
pub(super) fn remaining(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let pointer = "/metadata/remainingItemCount";
    match given.answer.body.pointer(pointer) {
        None | Some(Value::Null) => Ok(()),
        Some(count) if *count == given.arguments["count"] => Ok(()),
        Some(count) => {
            let summary = "remainingItemCount does not count the rest".to_owned();
            Err(Mismatch::new(given.arguments["count"].clone(), count.clone(), pointer, "other-count", summary))
        }
    }
}

fn text<'a>(given: &'a Given<'_>, name: &str) -> &'a str {
    given.arguments[name].as_str().unwrap_or_default()
}
