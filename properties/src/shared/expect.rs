//! Expectations that many properties share.

use crate::prelude::*;

/// 2xx, and the object has this value at a JSON pointer.
pub(crate) fn at(pointer: impl Into<String>, value: impl Into<Value>) -> Expectation {
    Expectation::At { pointer: pointer.into(), value: Some(value.into()) }
}

/// 2xx, and the object has nothing at a JSON pointer.
pub(crate) fn absent(pointer: impl Into<String>) -> Expectation {
    Expectation::At { pointer: pointer.into(), value: None }
}

/// All of these, which look at no other answer: what to wait for before several facts are checked of one answer, which
/// a server may write one after the other.
pub(crate) fn all(expectations: impl IntoIterator<Item = Expectation>) -> Expectation {
    let expectations: Vec<Expectation> = expectations.into_iter().collect();
    Expectation::named_with("all@1", json!({ "of": expectations }))
}

/// 2xx, and the object has a string at a JSON pointer that is not empty.
pub(crate) fn has(pointer: impl Into<String>) -> Expectation {
    Expectation::named_with("has@1", json!({ "pointer": pointer.into() }))
}

/// 2xx, and the object has another such string at a JSON pointer than the answer of an earlier step.
pub(crate) fn differs_at(pointer: &str, step: StepId) -> Expectation {
    Expectation::named_of("differs@1", step, json!({ "pointer": pointer }))
}

/// 2xx, and the object has the same value at this JSON pointer as the answer of an earlier step.
pub(crate) fn same_at(pointer: impl Into<String>, step: StepId) -> Expectation {
    let pointer = pointer.into();
    Expectation::SameAt { pointer: pointer.clone(), r#as: step, other: pointer }
}

/// Rejected with these causes; if there are none, accepted with this content.
pub(crate) fn content_or(content: Value, causes: Vec<Cause>) -> Expectation {
    if causes.is_empty() { Expectation::Content(content) } else { Expectation::Causes(causes) }
}

/// Rejected with these causes; if there are none, accepted.
pub(crate) fn accepted_or(causes: Vec<Cause>) -> Expectation {
    if causes.is_empty() { Expectation::Accepted } else { Expectation::Causes(causes) }
}

/// The causes that a generator predicts, as pairs of field and reason.
pub(crate) fn causes_of<F: Into<String>, R: ToString>(pairs: impl IntoIterator<Item = (F, R)>) -> Vec<Cause> {
    pairs.into_iter().map(|(field, reason)| Cause::new(field, reason.to_string())).collect()
}

/// Checks that an object was not written since an earlier answer: its resourceVersion and generation are the same.
pub(crate) fn unchanged(plan: &mut Plan, name: &str, asserts: &[&str], read: StepId, since: StepId) {
    plan.check(&format!("{name}-revision"), asserts, read, Expectation::SameRevision { r#as: since });
    plan.check(&format!("{name}-generation"), asserts, read, Expectation::SameGeneration { r#as: since });
}
