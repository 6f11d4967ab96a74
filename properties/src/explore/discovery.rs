//! Chapter 12: discovery documents of a group.

use crdible_scenario::{Exploration, Tenancy};

use super::{definitions, sequence::Sequence};
use crate::prelude::*;

pub(super) const EXPLORATION: Exploration = Exploration {
    id: "explore-discovery",
    title: "discovery documents and OpenAPI of a group, and requests to paths that do not exist",
    needs: &[Capability::Serving, Capability::Discovery],
    plan,
};

/// The maximum length of a sequence.
const REQUESTS: usize = 6;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let further = json!({ "subresources": definitions::subresources(choices) });
    // A separate definition: documents follow a change of the definition much later than objects do, and nothing shows
    // when.
    let definition = definitions::of(choices, further);
    let mut sequence = Sequence::of(plan, Definition { tenancy: Tenancy::Own, ..definition });
    // A new definition appears in discovery some time after it is served.
    for path in PATHS.iter().filter(|path| path.ends_with("$group/v1") || path.ends_with("$group/v2")) {
        let listed = sequence.send(Request::get(sequence.path(path)));
        sequence.plan.repeat_until(listed, Expectation::Status(200));
    }
    choices.many("request", 1, REQUESTS, |choices, _| {
        let path = sequence.path(choices.pick::<&str>(PATHS));
        let method = if choices.chance(1, 8) {
            *choices.pick(&[Method::Post, Method::Put, Method::Delete, Method::MergePatch, Method::JsonPatch])
        } else {
            Method::Get
        };
        let accept = choices.chance(1, 4).then(|| (*choices.pick(ACCEPT)).to_owned());
        let request = Request::new(method, path, Body::None);
        sequence.send(Request { accept, ..request });
    });
}

/// Documents that describe this group only, and paths that do not exist.
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
