//! What was sent and answered in a step.

use serde_json::{Map, Value};

use super::protocol;
use crate::{
    expect::Mismatch,
    scenario::{Action, Review, Reviewed, Scenario},
    transcript::Transcript,
};

/// The fields that are no content.
pub(super) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The review of a step.
pub(super) fn review(scenario: &Scenario, step: usize) -> Option<&Review> {
    match &scenario.steps.get(step)?.action {
        Action::Review(review) => Some(review),
        _ => None,
    }
}

/// The objects of a step's review; `None` if it sends on what an earlier step should have returned and did not.
pub fn sent(scenario: &Scenario, transcript: &Transcript, step: usize) -> Option<Vec<Value>> {
    let review = review(scenario, step)?;
    let mut answers: std::collections::BTreeMap<usize, Vec<Value>> = std::collections::BTreeMap::new();
    let object = |object: &Reviewed| match object {
        Reviewed::Object(object) => Some(object.clone()),
        Reviewed::Converted { step: from, at, content } => {
            if *from >= step {
                return None;
            }
            if !answers.contains_key(from) {
                answers.insert(*from, converted(scenario, transcript, *from)?.ok()?);
            }
            let object = answers.get(from)?.get(*at)?.clone();
            Some(content.as_ref().map_or(object.clone(), |content| with_content(&object, content)))
        }
    };
    review.objects.iter().map(object).collect()
}

/// The objects that a step's review returned, or what is wrong with its answer; `None` if it has none.
pub(super) fn converted(
    scenario: &Scenario,
    transcript: &Transcript,
    step: usize,
) -> Option<Result<Vec<Value>, Mismatch>> {
    let review = review(scenario, step)?;
    let answer = transcript.answer(step)?;
    let sent = sent(scenario, transcript, step)?;
    Some(protocol::check(review, &sent, answer))
}

/// An object without `apiVersion`, `kind` and `metadata`.
pub(super) fn content(object: &Value) -> Value {
    let mut content = object.clone();
    if let Some(fields) = content.as_object_mut() {
        META_FIELDS.iter().for_each(|meta| drop(fields.remove(*meta)));
    }
    content
}

/// An object with other content.
pub(super) fn with_content(object: &Value, content: &Value) -> Value {
    let mut fields: Map<String, Value> = content.as_object().cloned().unwrap_or_default();
    for meta in META_FIELDS {
        match object.get(meta) {
            Some(value) => fields.insert(meta.to_owned(), value.clone()),
            None => fields.remove(meta),
        };
    }
    Value::Object(fields)
}
