//! INV-056, REST-062: a watch with a selector reports what enters the selection, what changes in it, and what
//! leaves it.

use super::history::{History, State, version};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-056-selectors", plan)
    .title("a watch with a selector reports entering objects as ADDED and leaving ones as DELETED")
    .asserts(&["INV-056", "REST-062"])
    .needs(&[Capability::Storing, Capability::Watches, Capability::Status, Capability::Versions]);

/// A selector: the parameters of a query, and what they select.
type Selector = (&'static [(&'static str, &'static str)], fn(&State) -> bool);

const SELECTORS: [Selector; 8] = [
    (&[("labelSelector", "l=x")], |state| state.labels["l"] == "x"),
    (&[("labelSelector", "l!=x")], |state| state.labels["l"] != "x"),
    (&[("labelSelector", "m")], |state| state.labels["m"].is_string()),
    (&[("labelSelector", "!l")], |state| !state.labels["l"].is_string()),
    (&[("labelSelector", "l in (x,z),!m")], |state| state.labels["l"] == "x" && !state.labels["m"].is_string()),
    (&[("fieldSelector", "spec.c=red")], |state| state.content["spec"]["c"] == "red"),
    (&[("fieldSelector", "spec.c!=red")], |state| state.content["spec"]["c"] != "red"),
    (&[("fieldSelector", "spec.c=red"), ("labelSelector", "l=x")], |state| {
        state.content["spec"]["c"] == "red" && state.labels["l"] == "x"
    }),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut history = History::new(plan, &["INV-056"]);
    choices.many_parts("before", 0, 2, |choices, _| history.create(choices));
    let at = version(choices);
    let before = history.list(at);
    history.forget();
    choices.case_parts("write", |choices, _| history.write(choices));
    let (query, selects) = choices.pick(&SELECTORS);
    let events = history.events(at, selects);
    let seen = events.watch_since(history.plan, before, query);
    history.plan.check("watched", PROPERTY.asserts, seen, events.or_gone());
    // What is selected at the end is what a list with the selector holds.
    let (query, listed) =
        (query.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())), history.selected(selects));
    let list = history.list_with(at, query.collect());
    history.plan.check("present", &["INV-056"], list, NamedCheck::Lists { objects: listed });
}
