//! Chapter 11: requests for objects, in any order, with any options.

use crdible_scenario::{Exploration, QueryFromAnswer};

use super::{definitions, objects, options, sequence::Sequence};
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-requests",
    title: "creates, reads, updates, patches and deletions in any order, with any options",
    needs: &[Capability::Serving],
    plan,
};

/// The maximum length of a sequence.
const REQUESTS: usize = 14;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let further = if choices.chance(1, 3) { json!({ "subresources": { "status": {} } }) } else { json!({}) };
    let mut sequence = Sequence::of(plan, definitions::of(choices, further));
    populate(choices, &mut sequence);
    choices.many("request", 6, REQUESTS, |choices, _| step(choices, &mut sequence));
}

/// One request of any kind.
pub(super) fn step(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    match choices.weighted(&[6, 4, 4, 5, 4, 4, 3, 1]) {
        0 => create(choices, sequence),
        1 => get(choices, sequence),
        2 => list(choices, sequence),
        3 => put(choices, sequence),
        4 => merge_patch(choices, sequence),
        5 => json_patch(choices, sequence),
        6 => delete(choices, sequence),
        _ => delete_collection(choices, sequence),
    }
}

/// Creates most of the objects, all valid: requests that only get 404 show little.
pub(super) fn populate(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    for object in Sequence::objects() {
        if choices.chance(5, 6) {
            let version = *choices.pick(&["v1", "v2"]);
            let body = sequence.body(version, object, objects::valid_fields(choices));
            let created = sequence.send(Request::post(sequence.collection(version), body));
            sequence.remember(created, object, version);
        }
    }
}

pub(super) fn create(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let (version, object) = (sequence.version(choices), Sequence::object(choices));
    let mut fields = objects::fields(choices);
    let mut query = options::of_write(choices);
    if choices.chance(1, 16) {
        // The generated suffix is random, and so would be the order of lists.
        fields["metadata"] =
            json!({ "name": *choices.pick(&["", "Bad_Name"]), "generateName": *choices.pick(&["gen-", ""]) });
        query = vec![("dryRun".to_owned(), "All".to_owned())];
    }
    let body = match choices.weighted(&[30, 1, 1]) {
        0 => sequence.body(&version, object, fields),
        1 => sequence.body(&version, object, json!({ "apiVersion": "other.example.com/v1", "spec": {} })),
        _ => Body::json(choices.pick(&[json!([]), json!("text"), json!({}), json!(null)]).clone()),
    };
    let mut request = Request { query, ..Request::post(sequence.collection(&version), body) };
    if choices.chance(1, 30) {
        let types = [
            "text/plain",
            "application/json; charset=utf-8",
            "application/yaml",
            "application/x-bogus",
            "application/merge-patch+json",
        ];
        request.content_type = Some((*choices.pick(&types)).to_owned());
    }
    let created = sequence.send(request);
    sequence.remember(created, object, &version);
}

fn get(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let (version, object) = (sequence.version(choices), Sequence::object(choices));
    let query = options::of_get(choices);
    let query_from_answers = if query.is_empty() && choices.chance(1, 6) {
        any_state_not_older(choices, sequence, &version)
    } else {
        Vec::new()
    };
    let read = sequence.send(Request { query, query_from_answers, ..Request::get(sequence.at(&version, object)) });
    sequence.remember(read, object, &version);
}

/// The `resourceVersion` of an earlier answer. The server may return any state that is not older (REST-019), unless someone
/// has requested the current one.
fn any_state_not_older(choices: &mut Choices, sequence: &mut Sequence<'_>, version: &str) -> Vec<QueryFromAnswer> {
    sequence.send(Request::get(sequence.collection(version)));
    sequence.resource_version_parameter(choices)
}

pub(super) fn list(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let version = sequence.version(choices);
    let mut query = options::of_list(choices);
    query.extend(options::selectors(choices));
    let has = |name: &str| query.iter().any(|(other, _)| other == name);
    let query_from_answers = match choices.draw(3) {
        0 if !has("resourceVersion") => any_state_not_older(choices, sequence, &version),
        1 if !has("continue") => sequence.continue_parameter(choices),
        _ => Vec::new(),
    };
    let listed = sequence.send(Request { query, query_from_answers, ..Request::get(sequence.collection(&version)) });
    sequence.remember_list(listed);
}

fn put(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let (target, body) = match sequence.earlier(choices) {
        Some((step, object, version)) => {
            let object = if choices.chance(1, 20) { Sequence::object(choices) } else { object };
            (sequence.at(&version, object), Sequence::edited_answer(step, objects::edits(choices)))
        }
        None => {
            let (version, object) = (sequence.version(choices), Sequence::object(choices));
            (sequence.at(&version, object), sequence.body(&version, object, objects::fields(choices)))
        }
    };
    let query = options::of_write(choices);
    sequence.send(Request { query, ..Request::put(target, body) });
}

fn merge_patch(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let (version, object) = (sequence.version(choices), Sequence::object(choices));
    let body = Body::json(objects::merge_patch(choices));
    let request = Request::merge_patch(sequence.at(&version, object), body);
    patch(choices, sequence, request);
}

fn json_patch(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let (version, object) = (sequence.version(choices), Sequence::object(choices));
    let body = Body::json(objects::json_patch(choices));
    let request = Request::json_patch(sequence.at(&version, object), body);
    patch(choices, sequence, request);
}

fn patch(choices: &mut Choices, sequence: &mut Sequence<'_>, request: Request) {
    let query = options::of_write(choices);
    let content_type = if choices.chance(1, 30) {
        let types = ["application/json", "application/strategic-merge-patch+json", "text/plain"];
        Some((*choices.pick(&types)).to_owned())
    } else {
        None
    };
    sequence.send(Request { query, content_type, ..request });
}

fn delete(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let (version, object) = (sequence.version(choices), Sequence::object(choices));
    let body = options::of_deletion(choices).map_or(Body::None, Body::json);
    let query = options::of_delete(choices);
    sequence.send(Request { query, ..Request::delete_with(sequence.at(&version, object), body) });
}

fn delete_collection(choices: &mut Choices, sequence: &mut Sequence<'_>) {
    let version = sequence.version(choices);
    let body = options::of_deletion(choices).map_or(Body::None, Body::json);
    let mut query = options::of_delete(choices);
    query.extend(options::selectors(choices));
    if choices.chance(1, 4) {
        query.push(options::one(choices, "limit", &["1", "2", "x"]));
    }
    sequence.send(Request { query, ..Request::delete_with(sequence.collection(&version), body) });
}
