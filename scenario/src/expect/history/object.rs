//! The object as one client after the other would see it.

use serde_json::Value;

use super::done::Done;
use crate::{
    expect::equal,
    scenario::{Act, merged},
    transcript::Answer,
};

/// An object at a time.
#[derive(Clone, Debug)]
pub(super) struct Object<'a> {
    content: Value,
    /// Its `resourceVersion`.
    pub(super) revision: &'a str,
}

/// What becomes of a state, if an answer is right in it.
pub(super) enum Effect<'a> {
    /// The answer is not right.
    Wrong,
    /// The state is what it was.
    Unchanged,
    /// This is the state now.
    Becomes(Option<Object<'a>>),
}

impl Effect<'_> {
    fn unchanged_if(is_right: bool) -> Self {
        if is_right { Self::Unchanged } else { Self::Wrong }
    }
}

/// Whether an answer leaves open what was done: the server had no time, or failed.
pub(super) fn is_unknown(answer: &Answer) -> bool {
    !answer.is_accepted() && !matches!(answer.status, 404 | 409)
}

/// Whether an operation changes the object.
pub(super) fn changes(done: &Done<'_>) -> bool {
    let writes = !matches!(done.operation.act, Act::Read | Act::List { .. });
    writes && done.answer.is_accepted()
}

/// What an operation with this answer does to a state.
pub(super) fn effect<'a>(done: &Done<'a>, state: Option<&Object<'a>>) -> Effect<'a> {
    let answer = done.answer;
    let is_accepted = answer.is_accepted();
    match (&done.operation.act, state) {
        (Act::List { object }, state) => Effect::unchanged_if(is_accepted && lists(answer, *object, state)),
        // A PUT of an object that is gone may be a conflict, since it has a uid.
        (Act::Put { .. }, None) => Effect::unchanged_if(matches!(answer.status, 404 | 409)),
        // The answer to a deletion of nothing does not depend on the order.
        (Act::Delete, None) => Effect::unchanged_if(is_accepted || answer.status == 404),
        (Act::Read | Act::Merge { .. }, None) => Effect::unchanged_if(answer.status == 404),
        (Act::Create { content }, None) => {
            if is_accepted && equal(&answer.content(), content) {
                return becomes(answer);
            }
            Effect::Wrong
        }
        (Act::Create { .. }, Some(_)) => Effect::unchanged_if(answer.status == 409),
        (Act::Read, Some(object)) => Effect::unchanged_if(is_accepted && is_same(answer, object)),
        (Act::Delete, Some(_)) => {
            if is_accepted {
                Effect::Becomes(None)
            } else {
                Effect::Wrong
            }
        }
        (Act::Merge { patch }, Some(object)) => {
            let mut content = object.content.clone();
            merged(&mut content, patch);
            written(answer, object, &content)
        }
        (Act::Put { pointer, value, .. }, Some(object)) => {
            let Some(seen) = done.seen else { return Effect::Unchanged };
            if seen.revision() != Some(object.revision) {
                return Effect::unchanged_if(answer.status == 409);
            }
            let mut content = seen.content();
            if let Some(place) = content.pointer_mut(pointer) {
                *place = value.clone();
            }
            written(answer, object, &content)
        }
    }
}

/// What a write with this result does: the revision changes if and only if the content does (INV-067). Whether it does
/// with a number that is only written otherwise, such as `1.0`, is a quirk (SUB-009).
fn written<'a>(answer: &'a Answer, before: &Object<'a>, content: &Value) -> Effect<'a> {
    let is_same_revision = answer.revision() == Some(before.revision);
    let is_same_value = equal(content, &before.content);
    let is_promised = !is_same_value || *content == before.content;
    if !answer.is_accepted() || !equal(&answer.content(), content) || is_promised && is_same_revision != is_same_value {
        return Effect::Wrong;
    }
    becomes(answer)
}

fn becomes(answer: &Answer) -> Effect<'_> {
    let object = answer.revision().map(|revision| Object { content: answer.content(), revision });
    object.map_or(Effect::Wrong, |object| Effect::Becomes(Some(object)))
}

fn is_same(answer: &Answer, object: &Object<'_>) -> bool {
    answer.revision() == Some(object.revision) && equal(&answer.content(), &object.content)
}

/// Whether a list shows the object as it is, or no object if there is none.
fn lists(answer: &Answer, number: usize, state: Option<&Object<'_>>) -> bool {
    match (&listed(answer, number)[..], state) {
        ([], None) => true,
        ([item], Some(object)) => is_same(item, object),
        _ => false,
    }
}

/// What a list shows of the object with this number, as answers to GET.
pub(super) fn listed(answer: &Answer, number: usize) -> Vec<Answer> {
    let name = format!("$object-{number}");
    let items = answer.body["items"].as_array().into_iter().flatten();
    let shown = items.filter(|item| item["metadata"]["name"] == *name);
    shown.map(|item| Answer { status: 200, body: item.clone(), ..Answer::default() }).collect()
}
