//! Expectations that many properties share.

use crate::shared::prelude::*;

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
    NamedCheck::All { of: expectations.into_iter().collect() }.into()
}

/// 2xx, and the object has a string at a JSON pointer that is not empty.
pub(crate) fn has(pointer: impl Into<String>) -> Expectation {
    NamedCheck::Has { pointer: pointer.into() }.into()
}

/// 2xx, and the object has nothing at a JSON pointer, or something empty.
pub(crate) fn holds_nothing(pointer: &str) -> NamedCheck {
    NamedCheck::HoldsNothing { pointer: pointer.to_owned() }
}

/// A definition has a condition of this type and status for this reason.
pub(crate) fn condition_for(kind: &str, status: &str, reason: &str) -> Expectation {
    let [r#type, status, reason] = [kind, status, reason].map(str::to_owned);
    NamedCheck::ConditionFor { r#type, status, reason }.into()
}

/// These are the accepted names of a definition, and its conditions say whether all are accepted and whether it is
/// established.
pub(crate) fn names_decided(names: Value, is_accepted: bool, is_established: bool) -> NamedCheck {
    let [accepted, established] =
        [is_accepted, is_established].map(|is_true| if is_true { "True" } else { "False" }.to_owned());
    NamedCheck::NamesDecided { names, accepted, established }
}

/// 2xx with this code. If it has another one, what builds on it is judged nevertheless.
pub(crate) fn accepted_as(status: u16) -> NamedCheck {
    NamedCheck::AcceptedAs { status }
}

/// Accepted, or rejected with this code and this reason.
pub(crate) fn accepted_or_refused_as(status: u16, reason: &str) -> NamedCheck {
    NamedCheck::AcceptedOrRefusedAs { status, reason: reason.to_owned() }
}

/// 2xx, and the object has another such string at a JSON pointer than the answer of an earlier step.
pub(crate) fn differs_at(pointer: &str, step: StepId) -> Expectation {
    NamedCheck::Differs { pointer: pointer.to_owned() }.against(step)
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

/// Checks that an object was not written since an earlier answer: its resourceVersion and generation are the same.
pub(crate) fn unchanged(plan: &mut Plan, name: &str, asserts: &[&str], read: StepId, since: StepId) {
    plan.check(&format!("{name}-revision"), asserts, read, Expectation::same_revision(since));
    plan.check(&format!("{name}-generation"), asserts, read, Expectation::same_generation(since));
}

/// GET of what a step created, which is what that step answered (REST-013). What comes later is compared with this: the
/// create is to blame if it answered something else.
pub(crate) fn read_back(plan: &mut Plan, created: StepId) -> StepId {
    let read = plan.get(created);
    plan.check("as-answered", &["REST-013"], read, Expectation::same_content(created));
    read
}

/// Texts, as the arguments of a check have them.
pub(crate) fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}
