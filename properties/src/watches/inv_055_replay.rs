//! INV-055, INV-035, INV-074, REST-060, REST-061, REST-063, REST-067: a watch from a list on reports everything that
//! happened since, each once and in order.

use super::history::{History, version};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-055-replay", plan)
    .title("a watch from the resourceVersion of a list reports each later change once and in order")
    .asserts(&[
        "INV-035",
        "INV-055",
        "INV-074",
        "REST-046",
        "REST-060",
        "REST-061",
        "REST-063",
        "REST-063/e1",
        "REST-067",
    ])
    .needs(&[Capability::Storing, Capability::Watches, Capability::Status, Capability::Versions]);

/// What is asserted of a watch. That nothing but changes is reported is a part of it.
const WATCH: &[&str] = &["INV-055", "INV-035", "REST-060", "REST-061", "REST-063", "REST-063/e1", "REST-067"];

/// What of it is violated, by what is wrong with the events.
const BLAMES: &[(&str, &[&str])] = &[
    ("no-stream", &["REST-060"]),
    ("error-event", &["REST-060"]),
    ("event-missing", &["INV-055", "REST-061"]),
    ("event-unexpected", &["INV-035", "REST-067"]),
    ("event-otherwise", &["INV-055", "REST-060"]),
    ("other-type", &["INV-055", "REST-060"]),
    ("other-event", &["INV-055", "REST-061"]),
    ("same-revision", &["REST-063", "REST-063/e1"]),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut history = History::new(plan, &["INV-074", "REST-046", "INV-035"]);
    choices.many_parts("before", 0, 2, |choices, _| history.create(choices));
    let at = version(choices);
    let before = history.list(at);
    history.forget();
    choices.case_parts("write", |choices, _| history.write(choices));
    let after = history.list(at);
    let present = NamedCheck::Lists { objects: history.numbers() };
    history.plan.check("present", &["INV-055"], after, present);
    let events = history.events(at, |_| true);
    let seen = events.watch_since(history.plan, before, &[]);
    history.plan.check_blaming("watched", WATCH, seen, events.or_gone(), BLAMES);
    if choices.chance(1, 4) {
        // A watch that begins later sees the same.
        let again = events.watch_since(history.plan, before, &[]);
        history.plan.check_blaming("watched-again", WATCH, again, events.or_gone(), BLAMES);
    }
}
