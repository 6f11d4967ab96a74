//! Whether operations on one object can be put in one order that explains all answers: linearizability, for a
//! single key.
//!
//! The search is that of Wing and Gong: of the operations that no other one must precede, it tries each whose answer is
//! right in the state so far. States that it has seen with the same operations done are not tried again.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

mod creates;
mod done;
mod object;
mod timeline;

use std::collections::BTreeSet;

use serde_json::json;

use self::{
    done::Done,
    object::{Effect, Object},
};
use super::Mismatch;
use crate::{scenario::Operation, transcript::Transcript};

/// More operations are not judged: the search would take too long.
const MOST_OPERATIONS: usize = 40;

/// Finds an order. Operations that were not sent, and histories in which the effect of an operation is unknown, are
/// not judged.
pub(super) fn one_order(operations: &[Operation], transcript: &Transcript) -> Result<(), Mismatch> {
    let done: Vec<Done<'_>> = operations.iter().filter_map(|operation| done(operation, transcript)).collect();
    let is_unknown = |done: &Done<'_>| object::is_unknown(done.answer);
    if done.len() > MOST_OPERATIONS || done.iter().any(is_unknown) || has_order(&done) {
        return Ok(());
    }
    // Then it is not the order that is wrong, but what a create said of itself.
    if let Some(summary) = wrong_creates(&done) {
        let expected = json!("the revision that the object has");
        return Err(Mismatch::new(expected, json!(timeline::lines(&done)), "", "create-otherwise", summary));
    }
    let smallest = smallest(done);
    let summary = format!("no order of these {} operations explains their answers", smallest.len());
    let expected = json!("one order, in which each sees what those before it did");
    Err(Mismatch::new(expected, json!(timeline::lines(&smallest)), "", "no-order", summary))
}

/// Whether there is an order if each create had answered with the revision of what it stored; then what is wrong.
fn wrong_creates(history: &[Done<'_>]) -> Option<String> {
    let wrong = creates::other_revisions(history);
    let first = wrong.first()?;
    let mut corrected = history.to_vec();
    wrong.iter().for_each(|create| corrected[create.at].answer = &create.corrected);
    let (answered, stored) = (&first.answered, &first.stored);
    let said = || format!("the create answered with resourceVersion {answered}, and what it stored has {stored}");
    has_order(&corrected).then(said)
}

fn done<'a>(operation: &'a Operation, transcript: &'a Transcript) -> Option<Done<'a>> {
    let seen = operation.seen().map(|step| transcript.answer(step));
    Some(Done { operation, answer: transcript.answer(operation.step)?, seen: seen.flatten() })
}

fn has_order(history: &[Done<'_>]) -> bool {
    // No object at first: what comes before the history is a part of it.
    let mut tried = BTreeSet::new();
    search(history, 0, None, &mut tried)
}

/// Whether the operations that are not in `before` can follow. The revision of a state tells it from others.
fn search<'a>(
    history: &[Done<'a>],
    before: u64,
    state: Option<Object<'a>>,
    tried: &mut BTreeSet<(u64, Option<&'a str>)>,
) -> bool {
    let is_left = |at: usize| before & (1 << at) == 0;
    let left: Vec<usize> = (0..history.len()).filter(|&at| is_left(at)).collect();
    if left.is_empty() {
        return true;
    }
    if !tried.insert((before, state.as_ref().map(|object| object.revision))) {
        return false;
    }
    left.iter().any(|&at| {
        let is_first = left.iter().all(|&other| other == at || !history[other].precedes(&history[at]));
        if !is_first {
            return false;
        }
        match object::effect(&history[at], state.as_ref()) {
            Effect::Wrong => false,
            Effect::Unchanged => search(history, before | 1 << at, state.clone(), tried),
            Effect::Becomes(next) => search(history, before | 1 << at, next, tried),
        }
    })
}

/// Without the operations that changed nothing and are not needed to show that there is no order.
fn smallest(mut history: Vec<Done<'_>>) -> Vec<Done<'_>> {
    for at in (0..history.len()).rev() {
        if !object::changes(&history[at]) {
            let mut fewer = history.clone();
            fewer.remove(at);
            if !has_order(&fewer) {
                history = fewer;
            }
        }
    }
    history
}

#[cfg(test)]
mod tests;
