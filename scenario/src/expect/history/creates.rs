//! Creates whose answer has another revision than what they stored.

use serde_json::json;

use super::{done::Done, object};
use crate::{scenario::Act, transcript::Answer};

/// A create that answered with another revision than every later answer shows of the same object.
pub(super) struct OtherRevision {
    /// The position of the create.
    pub(super) at: usize,
    /// What it answered.
    pub(super) answered: String,
    /// What a read shows.
    pub(super) stored: String,
    /// Its answer with the revision that is stored.
    pub(super) corrected: Answer,
}

/// These creates: an object that has not changed since, which its uid and its generation show, has another revision.
pub(super) fn other_revisions(history: &[Done<'_>]) -> Vec<OtherRevision> {
    let found = history.iter().enumerate().filter_map(|(at, done)| {
        let is_create = matches!(done.operation.act, Act::Create { .. }) && done.answer.is_accepted();
        let created = is_create.then_some(done.answer)?;
        let answered = created.revision()?;
        let shown = history.iter().flat_map(shows).find(|shown| is_unchanged(created, shown))?;
        let stored = shown.revision().filter(|stored| *stored != answered)?;
        let mut corrected = created.clone();
        corrected.body["metadata"]["resourceVersion"] = json!(stored);
        Some(OtherRevision { at, answered: answered.to_owned(), stored: stored.to_owned(), corrected })
    });
    found.collect()
}

/// What an operation shows of the object without changing it, as answers to GET.
fn shows(done: &Done<'_>) -> Vec<Answer> {
    match done.operation.act {
        Act::Read if done.answer.is_accepted() => vec![done.answer.clone()],
        Act::List { object } if done.answer.is_accepted() => object::listed(done.answer, object),
        _ => Vec::new(),
    }
}

fn is_unchanged(created: &Answer, shown: &Answer) -> bool {
    ["uid", "generation"].iter().all(|field| {
        let of = |answer: &Answer| answer.body["metadata"].get(field).filter(|value| !value.is_null()).cloned();
        of(created).is_some() && of(created) == of(shown)
    })
}
