//! Whether an expectation holds of an answer.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    causes,
    equality::difference,
    fields, groups, history,
    mismatch::{Mismatch, first_field, shown, summary},
    named,
    outcome::{accepted, bad_request, refused, status},
};
use crate::{
    scenario::Expectation,
    transcript::{Answer, EndedElsewhere, Transcript},
};

/// Whether `expectation` holds of `answer`. `transcript` holds the earlier answers that the expectation refers to.
pub fn holds(expectation: &Expectation, answer: &Answer, transcript: &Transcript) -> Result<(), Mismatch> {
    match expectation {
        Expectation::Accepted => accepted(answer),
        Expectation::Status(code) => status(*code, answer),
        Expectation::Refused => refused(answer),
        Expectation::BadRequest => bad_request(answer),
        Expectation::Causes(expected) => causes::exact(expected, answer, &causes::comparable(expected, answer)),
        Expectation::CausesInclude(expected) => causes::included(expected, answer),
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
            let before = earlier(transcript, *r#as)?;
            accepted(before)?;
            accepted(answer)?;
            same_option(before.body.pointer(other), answer.body.pointer(pointer), pointer)
        }
        Expectation::SameOutcome { r#as } => same_outcome(earlier(transcript, *r#as)?, answer),
        Expectation::SameAcceptance { r#as } => {
            let expected = earlier(transcript, *r#as)?;
            no_server_error(expected, answer)?;
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
        Expectation::UnknownFieldWarnings(paths) => fields::unknown(paths, answer),
        Expectation::DuplicateFieldWarnings(expected) => fields::duplicate(*expected, answer),
        Expectation::StrictRefusal(paths) => fields::strict_refusal(paths, answer),
        Expectation::GroupVersions(versions) => groups::versions(versions, answer),
        Expectation::GroupOrder(versions) => groups::order(versions, answer),
        Expectation::OneOrder(operations) => history::one_order(operations, transcript),
        Expectation::AnsweredAtOnce(steps) => answered_at_once(steps, transcript),
        Expectation::Pages { whole, pages } => named::pages(earlier(transcript, *whole)?, pages, transcript),
        Expectation::Named { check, of } => {
            let other = of.and_then(|of| transcript.answer(of));
            named::evaluate(check, &named::Given { answer, other, calls: &transcript.calls })
        }
    }
}

/// To this number of requests the connection may end without an answer, because of the way to the server.
const FEW: usize = 2;

fn answered_at_once(steps: &[usize], transcript: &Transcript) -> Result<(), Mismatch> {
    let is_ended = |step: &&usize| transcript.answer(**step).is_some_and(|answer| answer.ended > 0);
    let ended = steps.iter().filter(is_ended).count();
    if ended <= FEW || is_as_usual(ended, steps.len(), transcript.elsewhere) {
        return Ok(());
    }
    let what = format!("the connection ended without an answer to {ended} of {} requests", steps.len());
    Err(Mismatch::new(json!("an answer to each request"), json!(what), "", "ended", what))
}

/// Whether connections end a tenth as often for other requests, or more often: then the way to the server loses them.
fn is_as_usual(ended: usize, requests: usize, elsewhere: EndedElsewhere) -> bool {
    let wide = |number: usize| u128::try_from(number).unwrap_or(u128::MAX);
    let here = wide(ended).saturating_mul(u128::from(elsewhere.requests));
    elsewhere.ended > 0 && here <= wide(requests).saturating_mul(u128::from(elsewhere.ended)).saturating_mul(10)
}

fn earlier(transcript: &Transcript, step: usize) -> Result<&Answer, Mismatch> {
    transcript.answer(step).ok_or_else(Mismatch::no_answer)
}

/// Equal values; `base` is where both are, and starts the place of a mismatch.
pub(super) fn same_value(expected: &Value, actual: &Value, base: &str) -> Result<(), Mismatch> {
    let Some(found) = difference(expected, actual) else { return Ok(()) };
    let pointer = format!("{base}{}", found.pointer);
    let at = if pointer.is_empty() { "the object" } else { &pointer };
    let [wanted, got] = [expected, actual].map(|side| side.pointer(&found.pointer));
    let summary = format!("{at} {}", found.kind.phrase(wanted, got));
    Err(Mismatch::new(expected.clone(), actual.clone(), &pointer, found.kind.word(), summary))
}

pub(super) fn same_option(expected: Option<&Value>, actual: Option<&Value>, pointer: &str) -> Result<(), Mismatch> {
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

/// The same value at a pointer in both answers. It must not be missing in both.
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

/// Neither answer is a 5xx, which is neither acceptance nor rejection and equals nothing. If the earlier one is, that is
/// another reason: it says nothing of the later one.
fn no_server_error(expected: &Answer, actual: &Answer) -> Result<(), Mismatch> {
    let answers = [(expected, Mismatch::EARLIER_FAILED), (actual, "status-")];
    match answers.into_iter().find(|(answer, _)| answer.status >= 500) {
        None => Ok(()),
        Some((broken, reason)) => {
            let summary = format!("the server failed: {}", summary(broken));
            let reason = format!("{reason}{}", broken.status);
            Err(Mismatch::new(json!("a status below 500"), shown(broken), "", &reason, summary))
        }
    }
}

/// The same code, reason and causes, or the same content.
fn same_outcome(expected: &Answer, actual: &Answer) -> Result<(), Mismatch> {
    no_server_error(expected, actual)?;
    if expected.is_accepted() != actual.is_accepted() {
        return Err(other_acceptance(expected, actual));
    }
    if expected.is_accepted() {
        // A create returns 201 and an update 200: the codes are not compared.
        accepted(expected)?;
        accepted(actual)?;
        return same_value(&expected.content(), &actual.content(), "");
    }
    if (expected.status, expected.reason()) != (actual.status, actual.reason()) {
        let summary = format!("the answers differ: {} and {}", summary(expected), summary(actual));
        return Err(Mismatch::new(shown(expected), shown(actual), "", "other-refusal", summary));
    }
    causes::same(&expected.causes(), &actual.causes())
}

fn other_acceptance(expected: &Answer, actual: &Answer) -> Mismatch {
    let refusal = if expected.is_accepted() { actual } else { expected };
    let word = if expected.is_accepted() { "refused" } else { "accepted" };
    let summary = format!("the answers differ: {} and {}", summary(expected), summary(actual));
    Mismatch::new(shown(expected), shown(actual), &first_field(refusal), word, summary)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rstest::rstest;
    use serde_json::json;

    use crate::{
        judge::{Verdict, judge},
        scenario::{Definition, Expectation, Plan},
        transcript::{Answer, EndedElsewhere, Transcript},
    };

    /// Reads that were answered at once, after an end, or never, and one that comes after them.
    #[rstest]
    #[case::at_once("....", 0, None)]
    #[case::two_ends(".e.n", 0, None)]
    #[case::three("e.ne", 0, Some("the connection ended without an answer to 3 of 4 requests"))]
    #[case::more_than_elsewhere("e.ne", 10, Some("the connection ended without an answer to 3 of 4 requests"))]
    #[case::as_elsewhere("e.ne", 80, None)]
    fn ends_count_if_they_are_many(#[case] reads: &str, #[case] elsewhere: u64, #[case] expected: Option<&str>) {
        let mut plan = Plan::new();
        let definition = plan.define(Definition::default());
        let created = plan.create(definition, json!({}));
        let steps: Vec<usize> = reads.chars().map(|_| plan.get(created)).collect();
        for step in &steps {
            plan.check("answered", &["X-001"], *step, Expectation::Status(200));
        }
        let after = plan.get(created);
        plan.check("at-once", &["X-002"], after, Expectation::AnsweredAtOnce(steps));
        let found = || Answer { status: 200, ..Answer::default() };
        let read = |how| match how {
            'e' => Answer { ended: 2, ..found() },
            'n' => Answer::of_an_end(),
            _ => found(),
        };
        let answers = [found()].into_iter().chain(reads.chars().map(read)).chain([found()]).map(Some).collect();
        let elsewhere = EndedElsewhere { ended: elsewhere, requests: 1000 };
        let transcript = Transcript { answers, elsewhere, ..Transcript::default() };
        let failed = match judge("p", &plan.finish(), &transcript, &BTreeSet::new()).verdict {
            Verdict::Fail(failed) => failed,
            Verdict::Pass | Verdict::Discard { .. } => Vec::new(),
        };
        let seen: Vec<&str> = failed.iter().map(|failed| failed.failure.actual.as_str().unwrap_or_default()).collect();
        assert_eq!(seen, Vec::from_iter(expected));
    }
}
