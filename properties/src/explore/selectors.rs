//! Chapter 14 and REST-020: lists and deletions by labels and fields.

use crdible_scenario::Exploration;

use super::{definitions, requests, sequence::Sequence};
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-selectors",
    title: "lists by labels and by selectable fields",
    needs: &[Capability::Serving],
    plan,
};

/// The maximum length of a sequence.
const REQUESTS: usize = 12;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let paths = [".spec.text", ".spec.number", ".spec.flag", ".spec.filled"];
    let fields: Vec<_> =
        paths.iter().filter(|_| choices.chance(2, 3)).map(|path| json!({ "jsonPath": path })).collect();
    let further = if fields.is_empty() { json!({}) } else { json!({ "selectableFields": fields }) };
    let mut sequence = Sequence::of(plan, definitions::of(choices, further));
    requests::populate(choices, &mut sequence);
    choices.many("request", 4, REQUESTS, |choices, _| {
        if choices.chance(1, 4) {
            requests::step(choices, &mut sequence)
        } else {
            requests::list(choices, &mut sequence)
        }
    });
}
