//! Checks that plain data cannot say: pure functions of the transcript, each with a name and a version.
//!
//! A version never changes its meaning: scenarios in files name it.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use serde_json::{Value, json};

use super::{Mismatch, equal};
use crate::transcript::{Answer, GroupListing, Transcript};

type Check = fn(&Value, &Answer, &Transcript) -> Result<(), Mismatch>;

/// All named checks.
const CHECKS: &[(&str, Check)] = &[
    ("kept-keys-subset@1", kept_keys_subset),
    ("contains@1", contains),
    ("same-listing@1", same_listing),
    ("listing-within@1", listing_within),
    ("listing-in-classes@1", listing_in_classes),
];

/// Evaluates a named check; an unknown name is a mismatch that says so.
pub(super) fn evaluate(
    name: &str,
    arguments: &Value,
    answer: &Answer,
    transcript: &Transcript,
) -> Result<(), Mismatch> {
    match CHECKS.iter().find(|(known, _)| *known == name) {
        Some((_, check)) => check(arguments, answer, transcript),
        None => {
            let summary = format!("this version of crdible knows no check `{name}`");
            Err(Mismatch::new(json!(name), Value::Null, "", "unknown-check", summary))
        }
    }
}

/// Whether a name is one of the checks.
pub fn is_known(name: &str) -> bool {
    CHECKS.iter().any(|(known, _)| *known == name)
}

/// `{"of": step}`: every key of this content is a key of that step's content at the same place, and every scalar is equal.
fn kept_keys_subset(arguments: &Value, answer: &Answer, transcript: &Transcript) -> Result<(), Mismatch> {
    included(&answer.content(), &looked_back(arguments, transcript)?.content())
}

/// `{"content": value}`: the content holds all of this, and perhaps more keys.
fn contains(arguments: &Value, answer: &Answer, _: &Transcript) -> Result<(), Mismatch> {
    included(arguments.get("content").unwrap_or(&Value::Null), &answer.content())
}

/// `{"of": step}`: the group of this discovery document lists the versions in the same order as that step's, and prefers the
/// same.
fn same_listing(arguments: &Value, answer: &Answer, transcript: &Transcript) -> Result<(), Mismatch> {
    let (expected, actual) = (listing(looked_back(arguments, transcript)?)?, listing(answer)?);
    if (&expected.versions, expected.preferred.as_ref().or(expected.versions.first()))
        == (&actual.versions, actual.preferred.as_ref().or(actual.versions.first()))
    {
        return Ok(());
    }
    let summary = "two lists of the same versions are ordered in two ways".to_owned();
    Err(Mismatch::new(json!(expected), json!(actual), "", "order", summary))
}

/// `{"of": step}`: the versions listed here stand in the same order in that step's longer list.
fn listing_within(arguments: &Value, answer: &Answer, transcript: &Transcript) -> Result<(), Mismatch> {
    let (whole, part) = (listing(looked_back(arguments, transcript)?)?, listing(answer)?);
    let restricted: Vec<&String> = whole.versions.iter().filter(|version| part.versions.contains(version)).collect();
    if restricted.iter().copied().eq(&part.versions) {
        return Ok(());
    }
    let summary = "two versions stand in one order alone and in another among more".to_owned();
    Err(Mismatch::new(json!(restricted), json!(part.versions), "", "order", summary))
}

/// `{"classes": [[version, …], …]}`: the versions of one class tie and stand in any order; the classes stand in this order.
fn listing_in_classes(arguments: &Value, answer: &Answer, _: &Transcript) -> Result<(), Mismatch> {
    let classes: Vec<Vec<String>> =
        arguments.get("classes").and_then(|classes| serde_json::from_value(classes.clone()).ok()).unwrap_or_default();
    let actual = listing(answer)?;
    let mut rest = actual.versions.as_slice();
    for class in &classes {
        let (head, tail) = rest.split_at(class.len().min(rest.len()));
        if head.len() != class.len() || !class.iter().all(|version| head.contains(version)) {
            let summary = "the versions stand in another order".to_owned();
            return Err(Mismatch::new(json!(classes), json!(actual.versions), "", "order", summary));
        }
        rest = tail;
    }
    Ok(())
}

fn looked_back<'a>(arguments: &Value, transcript: &'a Transcript) -> Result<&'a Answer, Mismatch> {
    let step = arguments.get("of").and_then(Value::as_u64).and_then(|step| usize::try_from(step).ok());
    step.and_then(|step| transcript.answer(step)).ok_or_else(Mismatch::no_answer)
}

fn listing(answer: &Answer) -> Result<&GroupListing, Mismatch> {
    answer.group.as_ref().ok_or_else(|| {
        let summary = format!("the group is not listed; the code is {}", answer.status);
        Mismatch::new(json!("a group"), answer.body.clone(), "", "no-group", summary)
    })
}

fn included(part: &Value, whole: &Value) -> Result<(), Mismatch> {
    let mut pointer = String::new();
    if is_included(part, whole, &mut pointer) {
        return Ok(());
    }
    let summary = format!("{} is not in the larger object", if pointer.is_empty() { "the root" } else { &pointer });
    Err(Mismatch::new(part.clone(), whole.clone(), &pointer, "not-included", summary))
}

fn is_included(part: &Value, whole: &Value, pointer: &mut String) -> bool {
    let length = pointer.len();
    let mut enter = |key: &str, part: &Value, whole: Option<&Value>| {
        pointer.truncate(length);
        pointer.push('/');
        pointer.push_str(key);
        whole.is_some_and(|whole| is_included(part, whole, pointer))
    };
    let included = match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, value)| enter(key, value, whole.get(key)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len()
                && part.iter().enumerate().all(|(at, value)| enter(&at.to_string(), value, whole.get(at)))
        }
        (part, whole) => return equal(part, whole),
    };
    if included {
        pointer.truncate(length);
    }
    included
}
