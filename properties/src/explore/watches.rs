//! Section 11.7: the events that watches report for concurrent writes.
//!
//! Each watch ends by itself after a second, and starts at the revision of an earlier answer or with the existing
//! objects. So its events depend on the writes before it, and not on anyone's speed.

use crdible_scenario::{Exploration, QueryFromAnswer};

use super::{definitions, options, requests, sequence::Sequence};
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-watches",
    title: "watches from any revision, with any options, mixed with writes",
    needs: &[Capability::Serving],
    plan,
};

/// The maximum length of a sequence.
const REQUESTS: usize = 14;
/// Each watch takes a second.
const WATCHES: usize = 3;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut further = json!({ "subresources": definitions::subresources(choices) });
    if choices.chance(1, 2) {
        further["selectableFields"] = json!([{ "jsonPath": ".spec.text" }, { "jsonPath": ".spec.number" }]);
    }
    if choices.chance(1, 2) {
        further["additionalPrinterColumns"] = json!([
            { "name": "Text", "type": "string", "jsonPath": ".spec.text" },
            { "name": "Born", "type": "date", "jsonPath": ".metadata.creationTimestamp" },
        ]);
    }
    let mut sequence = Sequence::of(plan, definitions::of(choices, further));
    // A server may keep a history per version, which goes back to the first request for that version.
    for version in ["v1", "v2"] {
        sequence.send(Request::get(sequence.collection(version)));
    }
    let begun = sequence.send(Request::get(sequence.collection("v1")));
    sequence.remember_list(begun);
    requests::populate(choices, &mut sequence);
    let mut watches = 0;
    choices.many("request", 4, REQUESTS, |choices, _| {
        if watches < WATCHES && choices.chance(1, 4) {
            watches += 1;
            watch(choices, &mut sequence);
        } else if choices.chance(1, 6) {
            let version = sequence.version(choices);
            let listed = sequence.send(Request::get(sequence.collection(&version)));
            sequence.remember_list(listed);
        } else {
            requests::step(choices, &mut sequence);
        }
    });
    if watches < WATCHES {
        let query_from_answers = vec![options::from_answer("resourceVersion", begun, REVISION)];
        let query = of_watch("1");
        let version = *choices.pick(&["v1", "v2"]);
        sequence.send(Request { query, query_from_answers, ..Request::get(sequence.collection(version)) });
    }
}

/// The position of the revision in an answer.
const REVISION: &str = "/metadata/resourceVersion";

/// The parameters of every watch.
fn of_watch(watch: &str) -> Vec<(String, String)> {
    [("watch", watch), ("timeoutSeconds", "1")].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

fn watch(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let version = sequence.version(choices);
    // A watch that starts with the existing objects may show an older state (REST-019), unless someone has requested
    // the current one.
    sequence.send(Request::get(sequence.collection(&version)));
    let mut query = of_watch(choices.pick::<&str>(&["1", "true"]));
    let mut query_from_answers: Vec<QueryFromAnswer> = Vec::new();
    match choices.weighted(&[6, 2, 3, 2, 1, 1]) {
        0 => query_from_answers = sequence.resource_version_parameter(choices),
        1 => query.extend([options::one(choices, "resourceVersion", &["", "0"])]),
        2 => {
            query.push(("sendInitialEvents".into(), "true".into()));
            query.push(("resourceVersionMatch".into(), "NotOlderThan".into()));
            match choices.draw(2) {
                0 => {}
                1 => query.push(options::one(choices, "resourceVersion", &["", "0"])),
                _ => query_from_answers = sequence.resource_version_parameter(choices),
            }
        }
        3 => {
            query.push(("sendInitialEvents".into(), "false".into()));
            query.push(("resourceVersionMatch".into(), "NotOlderThan".into()));
            query_from_answers = sequence.resource_version_parameter(choices);
        }
        // A revision older than all known ones.
        4 => query.push(("resourceVersion".into(), "1".into())),
        _ => query.extend(invalid_options(choices)),
    }
    if choices.chance(1, 2) {
        query.push(options::one(choices, "allowWatchBookmarks", &["true", "1", "false"]));
    }
    query.extend(options::selectors(choices));
    if choices.chance(1, 12) {
        query.push(options::one(choices, "limit", &["1", "x"]));
    }
    if choices.chance(1, 16) {
        // A single object cannot be watched: the request reads it.
        let target = sequence.at(&version, Sequence::object(choices));
        sequence.send(Request { query, query_from_answers, ..Request::get(target) });
        return;
    }
    let accept = choices.chance(1, 4).then(|| (*choices.pick(ACCEPT)).to_owned());
    let target = sequence.collection(&version);
    let watched = sequence.send(Request { query, query_from_answers, accept, ..Request::get(target) });
    sequence.remember_watch(watched);
}

/// Options that cannot be combined, or are invalid.
fn invalid_options(choices: &mut Choices) -> Vec<(String, String)> {
    let of = |options: &[(&str, &str)]| -> Vec<(String, String)> {
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    of(choices.pick::<&[(&str, &str)]>(&[
        &[("sendInitialEvents", "true")],
        &[("resourceVersionMatch", "NotOlderThan")],
        &[("resourceVersionMatch", "Exact"), ("resourceVersion", "1")],
        &[("sendInitialEvents", "true"), ("resourceVersionMatch", "Exact")],
        &[("sendInitialEvents", "x"), ("resourceVersionMatch", "NotOlderThan")],
        &[("continue", "abc")],
        &[("resourceVersionMatch", "Bogus"), ("sendInitialEvents", "true")],
    ]))
}

const ACCEPT: &[&str] = &[
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io,application/json",
    "application/json;as=Table;v=v2;g=meta.k8s.io",
    "application/json;stream=watch",
    "text/html",
];
