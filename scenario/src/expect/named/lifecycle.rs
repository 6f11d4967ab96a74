//! Checks of what becomes of definitions over time: their conditions and names, and what is still there.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{
    super::{Mismatch, equal, outcome::accepted},
    Given,
};
use crate::transcript::Answer;

/// What each condition has (LIFE-001).
const FIELDS: [&str; 5] = ["type", "status", "reason", "message", "lastTransitionTime"];

/// Names that are lists; the others are texts.
const LISTS: [&str; 2] = ["shortNames", "categories"];

fn conditions(answer: &Answer) -> &[Value] {
    let conditions = answer.body.pointer("/status/conditions").and_then(Value::as_array);
    conditions.map_or(&[][..], Vec::as_slice)
}

fn condition<'a>(answer: &'a Answer, kind: &str) -> Option<&'a Value> {
    conditions(answer).iter().find(|condition| condition["type"] == kind)
}

fn is_true(answer: &Answer, kind: &str) -> bool {
    condition(answer, kind).is_some_and(|condition| condition["status"] == "True")
}

pub(super) fn well_formed(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let mut seen: Vec<&Value> = Vec::new();
    for condition in conditions(given.answer) {
        let kind = &condition["type"];
        let place = format!("/status/conditions/{}", kind.as_str().unwrap_or_default());
        if let Some(field) = FIELDS.iter().find(|field| !condition[**field].is_string()) {
            let summary = format!("a condition has no {field}");
            return Err(Mismatch::new(json!(FIELDS), condition.clone(), &place, "condition-field", summary));
        }
        if !["True", "False", "Unknown"].iter().any(|status| condition["status"] == *status) {
            let summary = "the status of a condition is neither True nor False nor Unknown".to_owned();
            return Err(Mismatch::new(json!("True"), condition.clone(), &place, "condition-status", summary));
        }
        if seen.contains(&kind) {
            let summary = format!("there are two conditions of the type {kind}");
            return Err(Mismatch::new(json!("one"), json!("two"), &place, "condition-twice", summary));
        }
        seen.push(kind);
    }
    Ok(())
}

pub(super) fn established_after_names(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    if !is_true(given.answer, "Established") || is_true(given.answer, "NamesAccepted") {
        return Ok(());
    }
    let summary = "it is established, though its names are not accepted".to_owned();
    let shown = json!(conditions(given.answer));
    Err(Mismatch::new(json!("NamesAccepted is True"), shown, "/status/conditions", "too-early", summary))
}

pub(super) fn transitions(given: &Given<'_>) -> Result<(), Mismatch> {
    let before = given.looked_at()?;
    for answer in [before, given.answer] {
        accepted(answer)?;
    }
    for now in conditions(given.answer) {
        let kind = now["type"].as_str().unwrap_or_default();
        let Some(then) = condition(before, kind).filter(|then| then["status"] == now["status"]) else { continue };
        let [expected, actual] = [then, now].map(|condition| condition["lastTransitionTime"].clone());
        if expected != actual {
            let summary = format!("the condition {kind} has the same status since another time");
            let place = format!("/status/conditions/{kind}/lastTransitionTime");
            return Err(Mismatch::new(expected, actual, &place, "other-time", summary));
        }
    }
    Ok(())
}

pub(super) fn mentions(given: &Given<'_>, kind: &str, text: &str) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let message = condition(given.answer, kind).map(|condition| condition["message"].clone()).unwrap_or_default();
    if message.as_str().is_some_and(|message| message.contains(text)) {
        return Ok(());
    }
    let place = format!("/status/conditions/{kind}/message");
    let summary = format!("the message of the condition {kind} does not say {text}");
    Err(Mismatch::new(json!(format!("a message with {text}")), message, &place, "not-said", summary))
}

/// The finalizer by which a server removes the objects of a definition (LIFE-015).
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";
/// Why a definition is terminating as long as its server has not begun to clean up, …
const PENDING: &str = "InstanceDeletionPending";
/// … and then as long as it goes on, perhaps once more (LIFE-014).
const UNFINISHED: [&str; 3] = ["InstanceDeletionInProgress", "InstanceDeletionFailed", "InstanceDeletionCheck"];
/// What the message says if it failed because storage was not ready, which is tried again (LIFE-003, LIFE-014).
const NOT_READY: &str = "storage is (re)initializing";

/// Whether a definition is terminating for one of these reasons.
fn is_terminating_for(answer: &Answer, reasons: &[&str]) -> bool {
    let reason = condition(answer, "Terminating").filter(|_| is_true(answer, "Terminating"));
    reason.is_some_and(|condition| reasons.iter().any(|reason| condition["reason"] == *reason))
}

pub(super) fn cleanup_begun(given: &Given<'_>) -> Result<(), Mismatch> {
    goes_on(given, &[PENDING], "not-begun")
}

pub(super) fn cleanup_over(given: &Given<'_>) -> Result<(), Mismatch> {
    goes_on(given, &[&[PENDING][..], &UNFINISHED].concat(), "not-over")
}

pub(super) fn cleanup_not_delayed(given: &Given<'_>) -> Result<(), Mismatch> {
    let message = condition(given.answer, "Terminating").and_then(|condition| condition["message"].as_str());
    if !message.is_some_and(|message| message.contains(NOT_READY)) {
        return Ok(());
    }
    goes_on(given, &["InstanceDeletionFailed"], "delayed")
}

fn goes_on(given: &Given<'_>, reasons: &[&str], word: &str) -> Result<(), Mismatch> {
    let finalizers = given.answer.body.pointer("/metadata/finalizers").and_then(Value::as_array);
    let is_held = finalizers.is_some_and(|finalizers| finalizers.iter().any(|finalizer| finalizer == CLEANUP));
    if !given.answer.is_accepted() || !is_held || !is_terminating_for(given.answer, reasons) {
        return Ok(());
    }
    let summary = "the server has not finished to clean up after the deletion of the definition".to_owned();
    let shown = json!(conditions(given.answer));
    Err(Mismatch::new(
        json!(format!("not terminating for {reasons:?}")),
        shown,
        "/status/conditions/Terminating",
        word,
        summary,
    ))
}

pub(super) fn accepted_names(given: &Given<'_>, names: &Value) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let shown = given.answer.body.pointer("/status/acceptedNames").unwrap_or(&Value::Null);
    same_names(names, shown)
}

pub(super) fn names_consistent(given: &Given<'_>) -> Result<(), Mismatch> {
    accepted(given.answer)?;
    let [mut requested, shown] = ["/spec/names", "/status/acceptedNames"]
        .map(|pointer| given.answer.body.pointer(pointer).cloned().unwrap_or_default());
    // That a definition shows the names that it leaves open is another requirement.
    for open in ["singular", "listKind"] {
        if let (Some(requested), Some(name)) = (requested.as_object_mut(), shown.get(open)) {
            requested.entry(open).or_insert_with(|| name.clone());
        }
    }
    let says = is_true(given.answer, "NamesAccepted");
    if same_names(&requested, &shown).is_ok() == says {
        return Ok(());
    }
    let summary =
        "the condition NamesAccepted does not say whether the requested names are the accepted ones".to_owned();
    let place = "/status/conditions/NamesAccepted";
    Err(Mismatch::new(json!(!says), json!(says), place, "inconsistent", summary))
}

pub(super) fn names_decided(
    given: &Given<'_>,
    names: &Value,
    is_accepted: &str,
    is_established: &str,
) -> Result<(), Mismatch> {
    accepted_names(given, names)?;
    for (kind, wanted) in [("NamesAccepted", is_accepted), ("Established", is_established)] {
        let shown = condition(given.answer, kind).map(|condition| condition["status"].clone()).unwrap_or_default();
        if shown != wanted {
            let summary = format!("the condition {kind} is not what it should become");
            let place = format!("/status/conditions/{kind}");
            return Err(Mismatch::new(json!(wanted), shown, &place, "condition", summary));
        }
    }
    Ok(())
}

fn same_names(expected: &Value, shown: &Value) -> Result<(), Mismatch> {
    for name in ["plural", "singular", "shortNames", "kind", "listKind", "categories"] {
        let empty = if LISTS.contains(&name) { json!([]) } else { json!("") };
        let [wanted, actual] = [expected, shown].map(|names| match &names[name] {
            Value::Null => empty.clone(),
            value => value.clone(),
        });
        if !equal(&wanted, &actual) {
            let place = format!("/status/acceptedNames/{name}");
            return Err(Mismatch::new(wanted, actual, &place, "other-name", format!("the accepted {name} differs")));
        }
    }
    Ok(())
}

pub(super) fn same_managers(given: &Given<'_>) -> Result<(), Mismatch> {
    let before = given.looked_at()?;
    for answer in [before, given.answer] {
        accepted(answer)?;
    }
    let [expected, actual] = [before, given.answer].map(|answer| answer.managed_fields.clone());
    if equal(&expected, &actual) {
        return Ok(());
    }
    let summary = "the managed fields are not what they were".to_owned();
    Err(Mismatch::new(expected, actual, "/metadata/managedFields", "other-managers", summary))
}

pub(super) fn no_status(given: &Given<'_>) -> Result<(), Mismatch> {
    if given.answer.body.is_string() && given.answer.status == 404 {
        return Ok(());
    }
    let summary = format!("the answer is {} with a document, and not a plain 404", given.answer.status);
    Err(Mismatch::new(json!("404 in plain text"), given.answer.body.clone(), "", "document", summary))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{super::evaluate, CLEANUP, Given};
    use crate::{scenario::NamedCheck, transcript::Answer};

    fn definition(status: Value) -> Answer {
        let names = json!({ "plural": "as", "singular": "a", "kind": "A", "listKind": "AList" });
        let body = json!({ "kind": "X", "metadata": { "uid": "u" }, "spec": { "names": names }, "status": status });
        Answer { status: 200, body, ..Answer::default() }
    }

    fn condition(kind: &str, status: &str, time: &str) -> Value {
        json!({ "type": kind, "status": status, "reason": "R", "message": "\"a\" is taken", "lastTransitionTime": time })
    }

    fn holds(check: &NamedCheck, answer: &Answer) -> bool {
        evaluate(check, &Given::of(answer)).is_ok()
    }

    fn with(conditions: &[Value]) -> Answer {
        definition(json!({ "conditions": conditions }))
    }

    #[rstest]
    #[case::right(vec![condition("A", "True", "t"), condition("B", "False", "t")], true)]
    #[case::none(vec![], true)]
    #[case::twice(vec![condition("A", "True", "t"), condition("A", "False", "t")], false)]
    #[case::another_status(vec![condition("A", "Yes", "t")], false)]
    #[case::no_time(vec![json!({ "type": "A", "status": "True", "reason": "R", "message": "" })], false)]
    fn conditions_have_a_form(#[case] conditions: Vec<Value>, #[case] expected: bool) {
        let answer = with(&conditions);
        assert_eq!(holds(&NamedCheck::Conditions, &answer), expected);
    }

    #[rstest]
    #[case::both("True", "True", true)]
    #[case::neither("False", "False", true)]
    #[case::names_first("True", "False", true)]
    #[case::too_early("False", "True", false)]
    fn names_come_before(#[case] names: &str, #[case] established: &str, #[case] expected: bool) {
        let answer = with(&[condition("NamesAccepted", names, "t"), condition("Established", established, "t")]);
        assert_eq!(holds(&NamedCheck::EstablishedAfterNames, &answer), expected);
    }

    #[rstest]
    #[case::same("True", "1", true)]
    #[case::another_time("True", "2", false)]
    #[case::another_status("False", "2", true)]
    fn times_follow_the_status(#[case] status: &str, #[case] time: &str, #[case] expected: bool) {
        let before = with(&[condition("A", "True", "1")]);
        let now = with(&[condition("A", status, time)]);
        assert_eq!(evaluate(&NamedCheck::Transitions, &Given::against(&now, &before)).is_ok(), expected);
    }

    #[rstest]
    #[case::quoted("\"a\" is", true)]
    #[case::not_quoted("\"is\"", false)]
    fn messages_say(#[case] text: &str, #[case] expected: bool) {
        let answer = with(&[condition("A", "False", "1")]);
        let check = NamedCheck::ConditionSays { r#type: "A".to_owned(), text: text.to_owned() };
        assert_eq!(holds(&check, &answer), expected);
    }

    #[rstest]
    #[case::all(json!({ "plural": "as", "singular": "a", "kind": "A", "listKind": "AList", "shortNames": [] }), true)]
    #[case::some(json!({ "plural": "as", "singular": "", "kind": "A", "listKind": "AList" }), false)]
    #[case::one_more(json!({ "plural": "as", "singular": "a", "kind": "A", "listKind": "AList", "shortNames": ["b"] }), false)]
    fn names_are_compared(#[case] shown: Value, #[case] expected: bool) {
        let names = json!({ "plural": "as", "singular": "a", "kind": "A", "listKind": "AList" });
        let status = if expected { "True" } else { "False" };
        let conditions = [condition("NamesAccepted", status, "t"), condition("Established", "True", "t")];
        let answer = definition(json!({ "acceptedNames": shown, "conditions": conditions }));
        assert_eq!(holds(&NamedCheck::AcceptedNames { names }, &answer), expected);
        assert!(holds(&NamedCheck::NamesConsistent, &answer));
        let decided = |established: &str| {
            let [accepted, established] = [status, established].map(str::to_owned);
            NamedCheck::NamesDecided { names: shown.clone(), accepted, established }
        };
        assert!(holds(&decided("True"), &answer));
        assert!(!holds(&decided("False"), &answer));
    }

    #[rstest]
    #[case::accepted("a", "True", true)]
    #[case::said_to_be_refused("a", "False", false)]
    #[case::waiting("", "True", false)]
    fn names_that_are_left_open_are_not_compared(#[case] kind: &str, #[case] status: &str, #[case] expected: bool) {
        let accepted = json!({ "plural": "as", "singular": "a", "kind": kind, "listKind": "aList" });
        let mut answer = definition(json!({
            "acceptedNames": accepted, "conditions": [condition("NamesAccepted", status, "t")],
        }));
        answer.body["spec"]["names"] = json!({ "plural": "as", "kind": "a" });
        assert_eq!(holds(&NamedCheck::NamesConsistent, &answer), expected);
    }

    #[rstest]
    #[case::not_begun("True", "InstanceDeletionPending", Some(CLEANUP), false, false)]
    #[case::begun("True", "InstanceDeletionInProgress", Some(CLEANUP), true, false)]
    #[case::once_more("True", "InstanceDeletionFailed", Some(CLEANUP), true, false)]
    #[case::looked_again("True", "InstanceDeletionCheck", Some(CLEANUP), true, false)]
    #[case::over("False", "InstanceDeletionCompleted", Some("other"), true, true)]
    #[case::finalizer_comes_later("False", "InstanceDeletionCompleted", Some(CLEANUP), true, true)]
    #[case::the_condition_does_not_follow("True", "InstanceDeletionInProgress", Some("other"), true, true)]
    #[case::another_reason("True", "InstanceDeletionCompleted", Some(CLEANUP), true, true)]
    #[case::no_finalizers("True", "InstanceDeletionPending", None, true, true)]
    fn cleanups_begin_and_end(
        #[case] status: &str,
        #[case] reason: &str,
        #[case] finalizer: Option<&str>,
        #[case] has_begun: bool,
        #[case] is_over: bool,
    ) {
        let mut answer = with(&[json!({ "type": "Terminating", "status": status, "reason": reason })]);
        assert!(holds(&NamedCheck::CleanupNotDelayed, &answer));
        if let Some(finalizer) = finalizer {
            answer.body["metadata"]["finalizers"] = json!([finalizer]);
        }
        assert_eq!(holds(&NamedCheck::CleanupBegun, &answer), has_begun);
        assert_eq!(holds(&NamedCheck::CleanupOver, &answer), is_over);
        let gone = Answer { status: 404, ..answer };
        assert!(holds(&NamedCheck::CleanupBegun, &gone) && holds(&NamedCheck::CleanupOver, &gone));
    }

    #[rstest]
    #[case::storage("InstanceDeletionFailed", "could not list instances: storage is (re)initializing", true)]
    #[case::webhook("InstanceDeletionFailed", "could not list instances: conversion webhook failed", false)]
    #[case::it_goes_on("InstanceDeletionInProgress", "storage is (re)initializing", false)]
    fn cleanups_wait_for_storage(#[case] reason: &str, #[case] message: &str, #[case] is_delayed: bool) {
        let condition = json!({ "type": "Terminating", "status": "True", "reason": reason, "message": message });
        let mut answer = with(&[condition]);
        answer.body["metadata"]["finalizers"] = json!([CLEANUP]);
        assert_eq!(holds(&NamedCheck::CleanupNotDelayed, &answer), !is_delayed);
        let gone = Answer { status: 404, ..answer };
        assert!(holds(&NamedCheck::CleanupNotDelayed, &gone));
    }

    #[test]
    fn managers_are_compared() {
        let before = definition(Value::Null);
        let now = Answer { managed_fields: json!([{ "manager": "m" }]), ..before.clone() };
        let same = |now| evaluate(&NamedCheck::SameManagers, &Given::against(now, &before)).is_ok();
        assert!(same(&before) && !same(&now));
    }

    #[rstest]
    #[case::text(json!("404 page not found"), 404, true)]
    #[case::document(json!({ "kind": "Status" }), 404, false)]
    #[case::another_code(json!("text"), 200, false)]
    fn plain_answers(#[case] body: Value, #[case] status: u16, #[case] expected: bool) {
        let answer = Answer { status, body, ..Answer::default() };
        assert_eq!(holds(&NamedCheck::Plain404, &answer), expected);
    }
}
