//! Chapter 11: what is done with objects, in any order, with any options.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::{Exploration, definitions, objects, options, selectors, story::Story};
use crate::{
    properties::Capability,
    scenario::{Body, Method, Request, Scenario},
};

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-requests",
    title: "creates, reads, updates, patches and deletions in any order, with any options",
    needs: &[Capability::Serving],
    plan,
};

/// How long a sequence is.
const REQUESTS: usize = 14;

fn plan(choices: &mut Choices) -> Scenario {
    let further = if choices.chance(1, 3) { json!({ "subresources": { "status": {} } }) } else { json!({}) };
    let mut story = Story::of(definitions::of(choices, further));
    populate(choices, &mut story);
    choices.many("request", 6, REQUESTS, |choices, _| step(choices, &mut story));
    story.finish()
}

/// One request of any kind.
pub(super) fn step(choices: &mut Choices, story: &mut Story) {
    match choices.weighted(&[6, 4, 4, 5, 4, 4, 3, 1]) {
        0 => create(choices, story),
        1 => get(choices, story),
        2 => list(choices, story),
        3 => put(choices, story),
        4 => merge_patch(choices, story),
        5 => json_patch(choices, story),
        6 => delete(choices, story),
        _ => delete_collection(choices, story),
    }
}

/// Most objects, with nothing wrong: what only meets 404 tells little.
pub(super) fn populate(choices: &mut Choices, story: &mut Story) {
    for object in Story::objects() {
        if choices.chance(5, 6) {
            let version = *choices.pick(&["v1", "v2"]);
            let body = story.body(version, object, objects::right_fields(choices));
            let created = story.send(Request::new(Method::Post, story.collection(version), body));
            story.remember(created, object, version);
        }
    }
}

pub(super) fn create(choices: &mut Choices, story: &mut Story) {
    let (version, object) = (story.version(choices), Story::object(choices));
    let mut fields = objects::fields(choices);
    let mut query = options::of_write(choices);
    if choices.chance(1, 16) {
        // What is appended is random, and so would be the order of lists.
        fields["metadata"] =
            json!({ "name": *choices.pick(&["", "Bad_Name"]), "generateName": *choices.pick(&["gen-", ""]) });
        query = vec![("dryRun".to_owned(), "All".to_owned())];
    }
    let body = match choices.weighted(&[30, 1, 1]) {
        0 => story.body(&version, object, fields),
        1 => story.body(&version, object, json!({ "apiVersion": "other.example.com/v1", "spec": {} })),
        _ => Body::json(choices.pick(&[json!([]), json!("text"), json!({}), json!(null)]).clone()),
    };
    let mut request = Request { query, ..Request::new(Method::Post, story.collection(&version), body) };
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
    let created = story.send(request);
    story.remember(created, object, &version);
}

fn get(choices: &mut Choices, story: &mut Story) {
    let (version, object) = (story.version(choices), Story::object(choices));
    let query = options::of_get(choices);
    let query_from_answers =
        if query.is_empty() && choices.chance(1, 6) { story.query_from_revision(choices) } else { Vec::new() };
    let read = story.send(Request { query, query_from_answers, ..Request::get(story.at(&version, object)) });
    story.remember(read, object, &version);
}

pub(super) fn list(choices: &mut Choices, story: &mut Story) {
    let version = story.version(choices);
    let mut query = options::of_list(choices);
    query.extend(selectors::of_list(choices));
    let has = |name: &str| query.iter().any(|(other, _)| other == name);
    let query_from_answers = match choices.draw(3) {
        0 if !has("resourceVersion") => {
            // Any state that is not older will do (REST-019), unless somebody has asked for the present one.
            story.send(Request::get(story.collection(&version)));
            story.query_from_revision(choices)
        }
        1 if !has("continue") => story.query_from_page(choices),
        _ => Vec::new(),
    };
    let listed = story.send(Request { query, query_from_answers, ..Request::get(story.collection(&version)) });
    story.remember_list(listed);
}

fn put(choices: &mut Choices, story: &mut Story) {
    let (target, body) = match story.earlier(choices) {
        Some((step, object, version)) => {
            let object = if choices.chance(1, 20) { Story::object(choices) } else { object };
            (story.at(&version, object), Story::back(step, objects::edits(choices)))
        }
        None => {
            let (version, object) = (story.version(choices), Story::object(choices));
            (story.at(&version, object), story.body(&version, object, objects::fields(choices)))
        }
    };
    let query = options::of_write(choices);
    story.send(Request { query, ..Request::new(Method::Put, target, body) });
}

fn merge_patch(choices: &mut Choices, story: &mut Story) {
    let (version, object) = (story.version(choices), Story::object(choices));
    let body = Body::json(objects::merge_patch(choices));
    let request = Request::new(Method::MergePatch, story.at(&version, object), body);
    patch(choices, story, request);
}

fn json_patch(choices: &mut Choices, story: &mut Story) {
    let (version, object) = (story.version(choices), Story::object(choices));
    let body = Body::json(objects::json_patch(choices));
    let request = Request::new(Method::JsonPatch, story.at(&version, object), body);
    patch(choices, story, request);
}

fn patch(choices: &mut Choices, story: &mut Story, request: Request) {
    let query = options::of_write(choices);
    let content_type = if choices.chance(1, 30) {
        let types = ["application/json", "application/strategic-merge-patch+json", "text/plain"];
        Some((*choices.pick(&types)).to_owned())
    } else {
        None
    };
    story.send(Request { query, content_type, ..request });
}

fn delete(choices: &mut Choices, story: &mut Story) {
    let (version, object) = (story.version(choices), Story::object(choices));
    let body = options::of_deletion(choices).map_or(Body::None, Body::json);
    let query = options::of_delete(choices);
    story.send(Request { query, ..Request::new(Method::Delete, story.at(&version, object), body) });
}

fn delete_collection(choices: &mut Choices, story: &mut Story) {
    let version = story.version(choices);
    let body = options::of_deletion(choices).map_or(Body::None, Body::json);
    let mut query = options::of_delete(choices);
    query.extend(selectors::of_list(choices));
    if choices.chance(1, 4) {
        query.push(options::one(choices, "limit", &["1", "2", "x"]));
    }
    story.send(Request { query, ..Request::new(Method::Delete, story.collection(&version), body) });
}
