//! How an answer differs from an expectation, and short descriptions of answers.

use serde_json::{Value, json};

use crate::transcript::Answer;

/// How an answer differs from an expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// What was expected.
    pub expected: Value,
    /// What came back.
    pub actual: Value,
    /// Where: a JSON pointer into the object, or the field of a cause; may be empty.
    pub place: String,
    /// Why, as one word or a few joined by dashes; part of the signature.
    pub reason: String,
    /// The mismatch in one sentence.
    pub summary: String,
}

impl Mismatch {
    /// A mismatch of two values, with one sentence.
    pub fn new(expected: Value, actual: Value, place: &str, reason: &str, summary: String) -> Self {
        Self { expected, actual, place: place.to_owned(), reason: reason.to_owned(), summary }
    }

    /// The reason of a check that cannot be made, since the answer is not of the kind that it is about. It does not hold
    /// either: what is accepted shows nothing of how a server rejects.
    pub const SHOWS_NOTHING: &str = "shows-nothing";

    /// How the reason begins if the earlier of two answers is a 5xx; the code follows.
    pub(super) const EARLIER_FAILED: &str = "earlier-status-";

    /// Whether it shows nothing of what the check is about: it cannot be made, or the server failed before.
    pub fn shows_nothing(reason: &str) -> bool {
        reason == Self::SHOWS_NOTHING || reason.starts_with(Self::EARLIER_FAILED)
    }

    /// Nothing came.
    pub fn no_answer() -> Self {
        Self::new(Value::Null, Value::Null, "", "no-answer", "the step has no answer".to_owned())
    }
}

/// The field of the first cause of a refusal; empty if there is none.
pub(super) fn first_field(answer: &Answer) -> String {
    answer.causes().first().map(|cause| cause.field.clone()).unwrap_or_default()
}

/// An answer in a few words: its status code, and for a rejection the reason and the first causes.
pub(super) fn summary(answer: &Answer) -> String {
    if answer.is_accepted() {
        return format!("{}", answer.status);
    }
    if answer.reason().is_empty() {
        return format!("{} without a reason", answer.status);
    }
    let causes = answer.causes();
    let list: Vec<String> = causes.iter().take(3).map(|cause| format!("({}, {})", cause.field, cause.reason)).collect();
    let more = if causes.len() > 3 { " …" } else { "" };
    format!("{} {} {}{more}", answer.status, answer.reason(), list.join(" ")).trim_end().to_owned()
}

/// An answer for the diff: the content if it was accepted, else code, reason, message and causes.
pub(super) fn shown(answer: &Answer) -> Value {
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
