//! Section 11.7: what watches tell of the writes around them.
//!
//! Each watch ends by itself after a second, and begins at a revision of an earlier answer or with the objects that are there. So what it
//! tells depends on what was written before it, and not on how fast anybody is.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::{Exploration, definitions, options, requests, selectors, story::Story};
use crate::{
    properties::Capability,
    scenario::{QueryFromAnswer, Request, Scenario},
};

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-watches",
    title: "watches from any revision, with any options, among writes",
    needs: &[Capability::Serving],
    plan,
};

/// How long a sequence is.
const REQUESTS: usize = 14;
/// Each of them takes a second.
const WATCHES: usize = 3;

fn plan(choices: &mut Choices) -> Scenario {
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
    let mut story = Story::of(definitions::of(choices, further));
    // A server may keep a history for each version, which reaches back to when it was first asked.
    for version in ["v1", "v2"] {
        story.send(Request::get(story.collection(version)));
    }
    let begun = story.send(Request::get(story.collection("v1")));
    story.remember_list(begun);
    requests::populate(choices, &mut story);
    let mut watches = 0;
    choices.many("request", 4, REQUESTS, |choices, _| {
        if watches < WATCHES && choices.chance(1, 4) {
            watches += 1;
            watch(choices, &mut story);
        } else if choices.chance(1, 6) {
            let version = story.version(choices);
            let listed = story.send(Request::get(story.collection(&version)));
            story.remember_list(listed);
        } else {
            requests::step(choices, &mut story);
        }
    });
    if watches < WATCHES {
        let query_from_answers = vec![options::from_answer("resourceVersion", begun, REVISION)];
        let query = of_watch("1");
        let version = *choices.pick(&["v1", "v2"]);
        story.send(Request { query, query_from_answers, ..Request::get(story.collection(version)) });
    }
    story.finish()
}

/// Where an answer tells its revision.
const REVISION: &str = "/metadata/resourceVersion";

/// The parameters of every watch.
fn of_watch(watch: &str) -> Vec<(String, String)> {
    [("watch", watch), ("timeoutSeconds", "1")].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

fn watch(choices: &mut Choices, story: &mut Story) {
    let version = story.version(choices);
    // Who begins with the objects that are there may be shown an older state (REST-019), unless somebody has asked for the present one.
    story.send(Request::get(story.collection(&version)));
    let mut query = of_watch(choices.pick::<&str>(&["1", "true"]));
    let mut query_from_answers: Vec<QueryFromAnswer> = Vec::new();
    match choices.weighted(&[6, 2, 3, 2, 1, 1]) {
        0 => query_from_answers = story.query_from_revision(choices),
        1 => query.extend([options::one(choices, "resourceVersion", &["", "0"])]),
        2 => {
            query.push(("sendInitialEvents".into(), "true".into()));
            query.push(("resourceVersionMatch".into(), "NotOlderThan".into()));
            match choices.draw(2) {
                0 => {}
                1 => query.push(options::one(choices, "resourceVersion", &["", "0"])),
                _ => query_from_answers = story.query_from_revision(choices),
            }
        }
        3 => {
            query.push(("sendInitialEvents".into(), "false".into()));
            query.push(("resourceVersionMatch".into(), "NotOlderThan".into()));
            query_from_answers = story.query_from_revision(choices);
        }
        // From before all that is known.
        4 => query.push(("resourceVersion".into(), "1".into())),
        _ => query.extend(wrong(choices)),
    }
    if choices.chance(1, 2) {
        query.push(options::one(choices, "allowWatchBookmarks", &["true", "1", "false"]));
    }
    query.extend(selectors::of_list(choices));
    if choices.chance(1, 12) {
        query.push(options::one(choices, "limit", &["1", "x"]));
    }
    if choices.chance(1, 16) {
        // Of one object nothing is watched: it is read.
        let target = story.at(&version, Story::object(choices));
        story.send(Request { query, query_from_answers, ..Request::get(target) });
        return;
    }
    let accept = choices.chance(1, 4).then(|| (*choices.pick(ACCEPT)).to_owned());
    let target = story.collection(&version);
    let watched = story.send(Request { query, query_from_answers, accept, ..Request::get(target) });
    story.remember_watch(watched);
}

/// Options that do not go together, or are none.
fn wrong(choices: &mut Choices) -> Vec<(String, String)> {
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
