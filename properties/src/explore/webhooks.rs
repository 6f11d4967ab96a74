//! Chapter 9: requests at versions between which a webhook converts, while what it answers changes.
//!
//! A server converts in the background, too, so a list at each version comes before and after each change: it waits
//! until everything that can be converted is.

use crdible_scenario::{Exploration, Webhook};
use crdible_webhooks::{
    Behaviour, Chain, Converter, Edit, ListEdit, ObjectEdit, Place, Reshape, Step, Transport, When, Which,
};

use super::{definitions, options, requests, sequence::Sequence};
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-webhooks",
    title: "requests and watches at any version, with a webhook that converts, fails or answers wrongly",
    needs: &[Capability::Serving, Capability::Webhooks],
    plan,
};

/// How often what the webhook answers changes.
const CHANGES: usize = 3;
/// The longest sequence of requests between two changes. A list may take three seconds if something cannot be
/// converted, and after half a minute of that a server gives up.
const REQUESTS: usize = 5;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let further = json!({ "subresources": definitions::subresources(choices) });
    let chain = Chain { versions: vec!["v1".into(), "v2".into()], steps: vec![reshapes(choices)] };
    let mut definition = definitions::of(choices, further);
    let storage = choices.draw(1) == 1;
    for version in &mut definition.versions {
        version.storage = (version.name == "v2") == storage;
        if version.name == "v2" {
            version.schema["properties"]["spec"]["properties"]["title"] = json!({ "type": "string" });
        }
    }
    let mut webhook = Webhook::of(Converter::right(chain.clone()));
    if choices.chance(1, 6) {
        webhook.review_versions = vec!["v1beta1".to_owned()];
    }
    let mut sequence = Sequence::of(plan, definition.converted_by(webhook));
    lists(&mut sequence);
    requests::populate(choices, &mut sequence);
    lists(&mut sequence);
    choices.many("phase", 1, CHANGES, |choices, _| phase(choices, &mut sequence, &chain));
    sequence.convert(Converter::right(chain));
    for version in ["v1", "v2"] {
        let listed = sequence.send(Request::get(sequence.collection(version)));
        sequence.plan.repeat_until(listed, Expectation::Status(200));
    }
    for object in Sequence::objects() {
        sequence.send(Request::get(sequence.at("v1", object)));
        sequence.send(Request::get(sequence.at("v2", object)));
    }
}

/// The webhook changes, and some requests follow.
fn phase(choices: &mut Choices, sequence: &mut Sequence<'_>, chain: &Chain) {
    let behaviour = behaviour(choices);
    sequence.convert(Converter { chain: chain.clone(), behaviour });
    lists(sequence);
    let mut has_watched = false;
    choices.many("request", 1, REQUESTS, |choices, _| {
        if !has_watched && choices.chance(1, 5) {
            has_watched = true;
            watch(choices, sequence);
        } else {
            requests::step(choices, sequence);
        }
    });
    lists(sequence);
}

/// A list at each version.
fn lists(sequence: &mut Sequence<'_>) {
    for version in ["v1", "v2"] {
        let listed = sequence.send(Request::get(sequence.collection(version)));
        sequence.remember_list(listed);
    }
}

/// A watch for a second, from an earlier revision or from any state.
fn watch(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let version = *choices.pick(&["v1", "v2"]);
    let mut query: Vec<(String, String)> =
        [("watch", "1"), ("timeoutSeconds", "1")].map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let query_from_answers = if choices.chance(2, 3) {
        sequence.resource_version_parameter(choices)
    } else {
        query.push(options::one(choices, "resourceVersion", &["0", ""]));
        Vec::new()
    };
    if choices.chance(1, 3) {
        query.extend(options::selectors(choices));
    }
    let target = sequence.collection(version);
    let watched = sequence.send(Request { query, query_from_answers, ..Request::get(target) });
    sequence.remember_watch(watched);
}

/// What is different at `v2`.
fn reshapes(choices: &mut Choices) -> Vec<Step> {
    let at = || Place::of(&["spec"]);
    let property = |name: &str| name.to_owned();
    let all = [
        Reshape::Rename { at: at(), from: property("text"), to: property("title") },
        Reshape::Scale { at: at(), property: property("number"), factor: 10 },
        Reshape::Recode {
            at: at(),
            property: property("moment"),
            values: vec![(json!("never"), json!("")), (json!(""), json!("never"))],
        },
        Reshape::Stash { at: at(), property: property("selector"), annotation: "crdible.dev/selector".to_owned() },
        Reshape::Drop { at: at(), property: property("map") },
    ];
    all.into_iter().filter(|_| choices.chance(1, 3)).map(Step::of).collect()
}

fn behaviour(choices: &mut Choices) -> Behaviour {
    if choices.chance(1, 6) {
        return Behaviour::default();
    }
    let when = match choices.weighted(&[4, 3, 3, 3]) {
        0 => When::Always,
        1 => When::To("v1".to_owned()),
        2 => When::To("v2".to_owned()),
        _ => When::Holds("/spec/flag".to_owned(), json!(true)),
    };
    let wrong = match choices.weighted(&[4, 3, 4, 1]) {
        0 => Behaviour { transport: transport(choices), ..Behaviour::default() },
        1 => Behaviour { review: vec![review(choices)], ..Behaviour::default() },
        2 => Behaviour { objects: objects_of(choices), ..Behaviour::default() },
        _ => Behaviour { list: Some(*choices.pick(&[ListEdit::Empty, ListEdit::RepeatLast])), ..Behaviour::default() },
    };
    Behaviour { when, ..wrong }
}

fn transport(choices: &mut Choices) -> Transport {
    let status =
        |code, body: Option<&str>| Transport::Status { code, headers: Vec::new(), body: body.map(str::to_owned) };
    let all = [
        status(500, Some("down")),
        Transport::Closed,
        status(404, None),
        status(204, Some("")),
        status(201, None),
        status(307, None),
        Transport::Body("<p>hello</p>".to_owned()),
        Transport::Body(String::new()),
        Transport::Around { before: "# a comment\n".to_owned(), after: String::new() },
        Transport::Around { before: String::new(), after: "{}".to_owned() },
        Transport::Truncated(20),
    ];
    choices.pick(&all).clone()
}

/// A change of the whole answer.
fn review(choices: &mut Choices) -> Edit {
    let set = |pointer: &str, value: Value| Edit::Set(pointer.to_owned(), value);
    let all = [
        set("/response/result", json!({ "status": "Failed", "message": "it cannot be" })),
        set("/response/result", json!({ "status": "Success", "message": "it is" })),
        set("/response/uid", json!("another")),
        set("/kind", json!("Review")),
        set("/apiVersion", json!("apiextensions.k8s.io/v1beta1")),
        Edit::Remove("/kind".to_owned()),
        Edit::Remove("/response".to_owned()),
        Edit::Remove("/response/result".to_owned()),
        set("/request", json!({})),
    ];
    choices.pick(&all).clone()
}

/// Changes of the converted object.
fn objects_of(choices: &mut Choices) -> Vec<ObjectEdit> {
    let set = |pointer: &str, value: Value| Edit::Set(pointer.to_owned(), value);
    let all = [
        set("/metadata/labels", json!({ "tier": "a" })),
        Edit::Remove("/metadata/labels".to_owned()),
        set("/metadata/annotations", json!({ "a": "1" })),
        set("/metadata/labels", json!({ "tier": "no label" })),
        set("/metadata/annotations", json!([])),
        set("/metadata/finalizers", json!(["crdible.dev/c"])),
        set("/metadata/generation", json!(9)),
        set("/metadata/name", json!("another")),
        Edit::Remove("/metadata/uid".to_owned()),
        Edit::Remove("/metadata".to_owned()),
        set("/apiVersion", json!("crdible.dev/v1")),
        Edit::Remove("/kind".to_owned()),
        set("/spec", json!("text")),
        set("/spec", json!({ "text": 7, "unknown": 1, "nothing": null, "words": null })),
        set("/spec/number", json!(3.0)),
        Edit::Remove("/spec/text".to_owned()),
        set("/status", json!({ "phase": "Done", "other": 1 })),
        set("", Value::Null),
    ];
    let of = |edit: Edit| ObjectEdit { which: Which::All, edit };
    let count = 1 + choices.draw(1);
    (0..count).map(|_| of(choices.pick(&all).clone())).collect()
}
