//! REST-061, REST-064: watches that begin with the objects that exist, and the bookmark that marks their end.

use crdible_semantics::release::Change;

use super::history::{History, State, version};
use crate::prelude::*;
use crate::shared::watch;

pub(super) const PROPERTY: Property = Property::new("rest-061-initial-events", plan)
    .title("a watch without a resourceVersion, or with sendInitialEvents, begins with existing objects")
    .asserts(&["REST-060", "REST-061", "REST-062", "REST-064/e2"])
    .needs(&[Capability::Storing, Capability::Watches, Capability::Status, Capability::Versions]);

/// How a watch asks for the objects that exist.
const WAYS: [&[(&str, &str)]; 4] = [
    &[],
    &[("resourceVersion", "0")],
    &[("sendInitialEvents", "true"), ("resourceVersionMatch", "NotOlderThan")],
    &[("sendInitialEvents", "true"), ("resourceVersionMatch", "NotOlderThan"), ("resourceVersion", "0")],
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut history = History::new(plan, &["REST-061"]);
    choices.case_parts("write", |choices, _| history.write(choices));
    let at = version(choices);
    // A cache that knows the present state of a list begins with nothing older.
    let list = history.list(at);
    let present = NamedCheck::Lists { objects: history.numbers() };
    history.plan.check("present", &["REST-061"], list, present);
    let knows_initial_events = choices.release().has(Change::InitialEvents);
    let ways = if knows_initial_events { &WAYS[..] } else { &WAYS[..2] };
    let way = *choices.pick(ways);
    let bookmarks = choices.chance(1, 2);
    let selects: Option<fn(&State) -> bool> = choices.chance(1, 3).then_some(|state| state.labels["l"] == "x");
    let mut query: Vec<(String, String)> = [("watch", "true"), ("timeoutSeconds", "1")]
        .iter()
        .chain(way)
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    if bookmarks {
        query.push(("allowWatchBookmarks".into(), "true".into()));
    }
    if selects.is_some() {
        query.push(("labelSelector".into(), "l=x".into()));
    }
    let collection = Resource::objects(history.definition, at);
    let seen = watch::begin(history.plan, Request { query, ..Request::get(collection) });
    let events = history.initial(at, |state| selects.is_none_or(|selects| selects(state)));
    let end = bookmarks && knows_initial_events;
    let expected = NamedCheck::InitialEvents { version: at.to_owned(), events, end, any_order: false };
    let mut asserts = vec!["REST-060", "REST-061"];
    asserts.extend(selects.map(|_| "REST-062"));
    asserts.extend((end || way.len() > 1).then_some("REST-064/e2"));
    if way.contains(&("resourceVersion", "0")) {
        // Any state will do there, as of a server beside the one that was written to.
        history.plan.repeat_until(seen, expected.clone());
    }
    history.plan.check("initial", &asserts, seen, expected);
}
