//! Chapter 14 and REST-020: lists and deletions by labels and fields.

use crdible_scenario::Exploration;

use super::{definitions, options, requests, sequence::Sequence};
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-selectors",
    title: "lists by labels and by selectable fields",
    needs: &[Capability::Serving],
    plan,
};

/// The maximum length of a sequence.
const REQUESTS: usize = 12;

fn plan(choices: &mut Choices) -> Scenario {
    let paths = [".spec.text", ".spec.number", ".spec.flag", ".spec.filled"];
    let fields: Vec<_> =
        paths.iter().filter(|_| choices.chance(2, 3)).map(|path| json!({ "jsonPath": path })).collect();
    let further = if fields.is_empty() { json!({}) } else { json!({ "selectableFields": fields }) };
    let mut sequence = Sequence::of(definitions::of(choices, further));
    requests::populate(choices, &mut sequence);
    choices.many("request", 4, REQUESTS, |choices, _| {
        if choices.chance(1, 4) {
            requests::step(choices, &mut sequence)
        } else {
            requests::list(choices, &mut sequence)
        }
    });
    sequence.finish()
}

/// Selectors of a list or of a deletion.
pub(super) fn of_list(choices: &mut Choices) -> Vec<(String, String)> {
    let mut query = Vec::new();
    if choices.chance(1, 3) {
        query.push(options::one(choices, "labelSelector", LABELS));
    }
    if choices.chance(1, 3) {
        query.push(options::one(choices, "fieldSelector", FIELDS));
    }
    query
}

const LABELS: &[&str] = &[
    "tier=a",
    "tier==b",
    "tier!=a",
    "tier",
    "!tier",
    "tier in (a,b)",
    "tier notin (a)",
    "tier in ()",
    "tier in (a,)",
    "app=x,tier=a",
    " app = x , tier",
    "app>1",
    "tier=",
    "",
    ",",
    "a b",
    "tier=a=b",
    "-bad=no",
    "tier in a",
    "tier=ä",
];

const FIELDS: &[&str] = &[
    "metadata.name=other",
    "metadata.name!=other",
    "metadata.namespace=default",
    "metadata.namespace!=default",
    "spec.text=a",
    "spec.text!=a",
    "spec.text==b",
    "spec.text=",
    "spec.number=1",
    "spec.number=01",
    "spec.number=3",
    "spec.flag=true",
    "spec.flag!=true",
    "spec.filled=in",
    "spec.text=a,spec.number=1",
    "spec.text=\\,",
    "spec.text=a\\",
    "spec.moment=never",
    "spec",
    "=",
    "",
    ",",
    "metadata.labels=a",
    "spec.text in (a)",
    " spec.text=a",
    "spec.text=a ",
];
