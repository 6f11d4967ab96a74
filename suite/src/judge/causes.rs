//! Refusals with causes.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::json;

use super::mismatch::{Mismatch, shown, told};
use crate::{scenario::Cause, transcript::Answer};

/// 422 with exactly these causes; `actual` are those of the answer, sorted.
pub(super) fn exact(expected: &[Cause], answer: &Answer, actual: &[Cause]) -> Result<(), Mismatch> {
    let mut expected = expected.to_vec();
    expected.sort();
    invalid(&expected, answer)?;
    same(&expected, actual)
}

/// The same causes; both sorted.
pub(super) fn same(expected: &[Cause], actual: &[Cause]) -> Result<(), Mismatch> {
    if expected == actual {
        return Ok(());
    }
    let (missing, unexpected) = (minus(expected, actual), minus(actual, expected));
    Err(mismatch(expected, actual, missing.first(), unexpected.first()))
}

/// 422 with at least these causes.
pub(super) fn included(expected: &[Cause], answer: &Answer) -> Result<(), Mismatch> {
    let mut expected = expected.to_vec();
    expected.sort();
    let actual = invalid(&expected, answer)?;
    let missing = minus(&expected, &actual);
    if missing.is_empty() { Ok(()) } else { Err(mismatch(&expected, &actual, missing.first(), None)) }
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
