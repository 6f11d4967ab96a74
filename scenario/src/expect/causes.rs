//! Rejections with causes.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::json;

use super::mismatch::{Mismatch, shown, summary};
use crate::{scenario::Cause, transcript::Answer};

/// 422 with exactly these causes; `actual` are the causes of the answer.
pub(super) fn exact(expected: &[Cause], answer: &Answer, actual: &[Cause]) -> Result<(), Mismatch> {
    let mut expected = expected.to_vec();
    expected.sort();
    invalid(&expected, answer)?;
    same(&expected, actual)
}

/// The same causes, in any order.
pub(super) fn same(expected: &[Cause], actual: &[Cause]) -> Result<(), Mismatch> {
    let (missing, unexpected) = differences(expected, actual);
    if missing.is_empty() && unexpected.is_empty() {
        return Ok(());
    }
    Err(mismatch(expected, actual, missing.first().copied(), unexpected.first().copied()))
}

/// 422 with at least these causes.
pub(super) fn included(expected: &[Cause], answer: &Answer) -> Result<(), Mismatch> {
    let mut expected = expected.to_vec();
    expected.sort();
    invalid(&expected, answer)?;
    let actual = comparable(&expected, answer);
    let (missing, _) = differences(&expected, &actual);
    match missing.first() {
        None => Ok(()),
        missing => Err(mismatch(&expected, &actual, missing.copied(), None)),
    }
}

/// The causes of an answer, with their messages only if one is expected.
pub(super) fn comparable(expected: &[Cause], answer: &Answer) -> Vec<Cause> {
    with_wanted_messages(expected, answer.causes_with_messages())
}

/// Actual causes, with their messages only if one is expected: messages are free otherwise (VALUE-043).
pub(super) fn with_wanted_messages(expected: &[Cause], actual: Vec<Cause>) -> Vec<Cause> {
    if expected.iter().any(|cause| cause.message.is_some()) {
        return actual;
    }
    actual.into_iter().map(|cause| Cause { message: None, ..cause }).collect()
}

/// Expected causes in the order in which they choose actual ones: those with a message first, since the others leave
/// it open.
pub(super) fn choosing(expected: &[Cause]) -> impl Iterator<Item = &Cause> {
    let (with_message, without): (Vec<&Cause>, Vec<&Cause>) =
        expected.iter().partition(|cause| cause.message.is_some());
    with_message.into_iter().chain(without)
}

/// 422 with the reason `Invalid`.
fn invalid(expected: &[Cause], answer: &Answer) -> Result<(), Mismatch> {
    if answer.status == 422 && answer.reason() == "Invalid" {
        return Ok(());
    }
    if answer.status == 422 {
        let summary = format!("{}, expected the reason Invalid", summary(answer));
        return Err(Mismatch::new(json!("Invalid"), json!(answer.reason()), "", "other-reason", summary));
    }
    let first = expected.first();
    let found = summary(answer);
    let summary = match first {
        Some(cause) => format!("{found}, expected 422 with ({}, {})", cause.field, cause.reason),
        None => format!("{found}, expected 422"),
    };
    let place = first.map_or("", |cause| &cause.field);
    let reason = if answer.is_accepted() { "accepted".to_owned() } else { format!("status-{}", answer.status) };
    Err(Mismatch::new(json!({ "status": 422, "causes": expected }), shown(answer), place, &reason, summary))
}

/// The expected causes that no actual one matches, and the actual ones that are not expected. Each actual cause is
/// matched once.
fn differences<'a>(expected: &'a [Cause], actual: &'a [Cause]) -> (Vec<&'a Cause>, Vec<&'a Cause>) {
    let mut unmatched: Vec<&Cause> = actual.iter().collect();
    let mut missing = Vec::new();
    for cause in choosing(expected) {
        match unmatched.iter().position(|candidate| cause.matches(candidate)) {
            Some(at) => drop(unmatched.remove(at)),
            None => missing.push(cause),
        }
    }
    (missing, unmatched)
}

fn mismatch(expected: &[Cause], actual: &[Cause], missing: Option<&Cause>, unexpected: Option<&Cause>) -> Mismatch {
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

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{comparable, exact};
    use crate::{scenario::Cause, transcript::Answer};

    fn refusal(causes: &[(&str, &str)]) -> Answer {
        let cause = |(field, message): &(&str, &str)| json!({ "field": field, "reason": "FieldValueInvalid", "message": message });
        let causes: Vec<Value> = causes.iter().map(cause).collect();
        let body = json!({ "kind": "Status", "reason": "Invalid", "details": { "causes": causes } });
        Answer { status: 422, body, ..Answer::default() }
    }

    fn cause(field: &str) -> Cause {
        Cause::new(field, "Invalid")
    }

    #[rstest]
    #[case::without_messages(vec![cause("a"), cause("b")], &[("b", "y"), ("a", "x")], None)]
    #[case::missing(vec![cause("a"), cause("b")], &[("a", "x")], Some("missing-Invalid"))]
    #[case::twice(vec![cause("a")], &[("a", "x"), ("a", "x")], Some("unexpected-Invalid"))]
    #[case::message(vec![cause("a").with_message("x")], &[("a", "x")], None)]
    #[case::other_message(vec![cause("a").with_message("y")], &[("a", "x")], Some("missing-Invalid"))]
    #[case::the_free_one_leaves_the_message(vec![cause("a"), cause("a").with_message("x")], &[("a", "x"), ("a", "y")], None)]
    fn causes_are_a_multiset(
        #[case] expected: Vec<Cause>,
        #[case] actual: &[(&str, &str)],
        #[case] reason: Option<&str>,
    ) {
        let answer = refusal(actual);
        let found = exact(&expected, &answer, &comparable(&expected, &answer)).err().map(|mismatch| mismatch.reason);
        assert_eq!(found.as_deref(), reason);
    }
}
