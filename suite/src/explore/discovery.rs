//! Chapter 12: what a group tells of itself.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::{Exploration, definitions, story::Story};
use crate::{
    properties::Capability,
    scenario::{Body, Definition, Expectation, Method, Request, Scenario, Tenancy},
};

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-discovery",
    title: "discovery documents and OpenAPI of a group, and requests that reach nothing",
    needs: &[Capability::Serving, Capability::Discovery],
    plan,
};

/// How long a sequence is.
const REQUESTS: usize = 6;

fn plan(choices: &mut Choices) -> Scenario {
    let further = json!({ "subresources": definitions::subresources(choices) });
    // One of its own: documents follow a change of the definition much later than objects do, and nothing tells when.
    let definition = definitions::of(choices, further);
    let mut story = Story::of(Definition { tenancy: Tenancy::Own, ..definition });
    // A new definition is told of some time after it is served.
    for path in PATHS.iter().filter(|path| path.ends_with("$group/v1") || path.ends_with("$group/v2")) {
        let told = story.send(Request::get(story.path(path)));
        story.plan.repeat_until(told, Expectation::Status(200));
    }
    choices.many("request", 1, REQUESTS, |choices, _| {
        let path = story.path(choices.pick::<&str>(PATHS));
        let method = if choices.chance(1, 8) {
            *choices.pick(&[Method::Post, Method::Put, Method::Delete, Method::MergePatch, Method::JsonPatch])
        } else {
            Method::Get
        };
        let accept = choices.chance(1, 4).then(|| (*choices.pick(ACCEPT)).to_owned());
        let request = Request::new(method, path, Body::None);
        story.send(Request { accept, ..request });
    });
    story.finish()
}

/// Documents that tell of this group alone, and paths that reach nothing.
const PATHS: &[&str] = &[
    "/apis/$group",
    "/apis/$group/v1",
    "/apis/$group/v2",
    "/apis/$group/v9",
    "/apis/$group/",
    "/apis/$group/v1/",
    "/apis/$group/v1/things/",
    "/apis/$group/v1/others",
    "/apis/$group/v1/things/a/b/c",
    "/apis/$group/v1/things/a/bogus",
    "/apis/$group/v1/namespaces/$namespace/things",
    "/apis/$group/v1/namespaces/$namespace/things/none",
    "/apis/$group/v1/namespaces/none/things",
    "/apis/$group/v1/namespaces",
    "/apis/$group/v1/namespaces/$namespace",
    "/openapi/v3/apis/$group/v1",
    "/openapi/v3/apis/$group/v2",
    "/openapi/v3/apis/$group/v9",
    "/openapi/v3/apis/$group",
    "/apis/none.example.com",
    "/apis/none.example.com/v1",
    "/api/v1/bogus",
    "/bogus",
    "/apis/$group//things",
];

const ACCEPT: &[&str] = &["application/yaml", "*/*", "text/html", "application/json;as=Table;v=v1;g=meta.k8s.io"];
