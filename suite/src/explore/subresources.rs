//! Chapter 10: `/status` and `/scale`.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::{definitions, objects, options, requests, story::Story};
use crate::{
    properties::{Capability, Property},
    scenario::{Body, Edit, Method, Request, Scenario},
};

pub(super) const EXPLORATION: Property = Property {
    id: "explore-subresources",
    title: "reads and writes of /status and /scale among those of whole objects",
    asserts: &[],
    needs: &[Capability::Serving],
    edges: &[],
    plan,
};

/// How long a sequence is.
const REQUESTS: usize = 12;

fn plan(choices: &mut Choices) -> Scenario {
    let further = json!({ "subresources": definitions::subresources(choices) });
    let mut story = Story::of(definitions::of(choices, further));
    requests::populate(choices, &mut story);
    choices.many("request", 4, REQUESTS, |choices, _| {
        if choices.chance(1, 3) {
            return requests::step(choices, &mut story);
        }
        let part = if choices.chance(1, 30) { "bogus" } else { choices.pick(&["status", "scale"]) };
        let (version, object) = (story.version(choices), Story::object(choices));
        let target = story.part(&version, object, part);
        let request = match choices.weighted(&[4, 4, 3, 3, 1]) {
            0 => {
                let read = story.send(Request { query: options::of_get(choices), ..Request::get(target) });
                // A scale is sent back to where it came from, and by mistake as a whole object.
                if part == "status" || choices.chance(1, 8) {
                    story.remember(read, object, &version);
                }
                if part == "scale" && choices.chance(2, 3) {
                    let body = Story::back(read, scale_edits(choices));
                    let target = story.part(&version, object, part);
                    let query = options::of_write(choices);
                    story.send(Request { query, ..Request::new(Method::Put, target, body) });
                }
                return;
            }
            1 => {
                let body = match story.earlier(choices) {
                    Some((step, ..)) => Story::back(step, objects::edits(choices)),
                    None => story.body(&version, object, objects::fields(choices)),
                };
                Request::new(Method::Put, target, body)
            }
            2 => Request::new(Method::MergePatch, target, Body::json(patch(choices, part))),
            3 if part == "scale" => Request::new(
                Method::JsonPatch,
                target,
                Body::json(
                    json!([{ "op": *choices.pick(&["replace", "add", "test"]), "path": "/spec/replicas", "value": 2 }]),
                ),
            ),
            3 => Request::new(Method::JsonPatch, target, Body::json(objects::json_patch(choices))),
            _ => {
                let method = *choices.pick(&[Method::Post, Method::Delete]);
                Request::new(method, target, Body::json(json!({})))
            }
        };
        let query = options::of_write(choices);
        story.send(Request { query, ..request });
    });
    story.finish()
}

fn patch(choices: &mut Choices, part: &str) -> Value {
    if part != "scale" || choices.chance(1, 6) {
        return objects::merge_patch(choices);
    }
    choices
        .pick(&[
            json!({ "spec": { "replicas": 5 } }),
            json!({ "spec": { "replicas": 0 } }),
            json!({ "spec": { "replicas": null } }),
            json!({ "spec": null }),
            json!({ "spec": { "replicas": -1 } }),
            json!({ "spec": { "replicas": "1" } }),
            json!({ "spec": { "replicas": 2_147_483_648_i64 } }),
            json!({ "spec": { "replicas": 1, "unknown": 1 } }),
            json!({ "status": { "replicas": 9 } }),
            json!({ "metadata": { "labels": { "a": "b" } } }),
            json!({ "metadata": { "name": "other" } }),
            json!({}),
        ])
        .clone()
}

fn scale_edits(choices: &mut Choices) -> Vec<Edit> {
    let set = |pointer: &str, value: Value| vec![Edit::Set(pointer.to_owned(), value)];
    match choices.draw(7) {
        0 => set("/spec/replicas", json!(3)),
        1 => set("/spec/replicas", json!(-1)),
        2 => set("/spec", json!({})),
        3 => set("/metadata/resourceVersion", json!("1")),
        4 => vec![Edit::Remove("/metadata/resourceVersion".into()), Edit::Set("/spec/replicas".into(), json!(4))],
        5 => set("/metadata/name", json!("other")),
        6 => set("/kind", json!("Other")),
        _ => vec![],
    }
}
