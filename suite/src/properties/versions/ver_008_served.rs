//! VER-008, VER-019 and VER-020: an object is one object, at whichever served version it is seen and written.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
    value,
};
use serde_json::json;

use super::shared::{define_all, object_at, patch, request, version};
use crate::{
    properties::{Capability, Property},
    scenario::{Body, Edit, Expectation, Method, Plan, Request, Resource, Scenario, StepId},
};

pub(super) const PROPERTY: Property = Property {
    id: "ver-008-served",
    title: "every served version shows the same objects and takes every verb, and a resourceVersion counts at all of them",
    asserts: &["VER-008", "VER-008/e1", "VER-019", "VER-020", "INV-036", "CONV-001", "CONV-001/e1"],
    needs: &[Capability::Storing],
    edges: &[],
    plan,
};

const VERSIONS: [&str; 3] = ["v1", "v2", "v3"];
const IDENTITY: [&str; 8] =
    ["name", "namespace", "uid", "resourceVersion", "generation", "labels", "annotations", "creationTimestamp"];
const LABELS: &str = "/metadata/labels";

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let schema = choices.span("schema", |choices| schema::schema(choices, &SchemaShape::default()));
    let json = schema.to_json();
    let versions = VERSIONS.iter().enumerate().map(|(at, name)| version(name, true, at == 0, &json)).collect();
    let definition = define_all(&mut plan, versions);
    choices.many("object", 1, 3, |choices, _| {
        let mut content = value::valid(choices, &schema);
        content["metadata"] = json!({ "labels": { "l": "w" }, "annotations": { "a": "b" } });
        let [at, other, third] = *choices.pick(&[["v1", "v2", "v3"], ["v2", "v1", "v3"], ["v3", "v2", "v1"]]);
        let created = plan.create_at(definition, at, content);
        plan.assume(created, Expectation::Accepted);
        let reads = everywhere(&mut plan, created, created);
        let read_at = |version: &str| reads[VERSIONS.iter().position(|name| *name == version).unwrap_or(0)];
        // A body of another version than the URL's.
        let body = Body::Answer { step: read_at(third), edits: vec![] };
        let crossed = plan.send(request(Method::Put, object_at(&plan, created, other), body));
        plan.check("crossed", &["VER-008/e1"], crossed, Expectation::BadRequest);
        let body = Body::Answer { step: read_at(third), edits: vec![Edit::Renew { object: 100 }] };
        let resource = Resource::Objects { definition, version: other.to_owned() };
        let posted = plan.send(Request { dry_run: true, ..request(Method::Post, resource, body) });
        plan.check("crossed-create", &["VER-008/e1"], posted, Expectation::BadRequest);
        let edits = vec![Edit::Set(LABELS.into(), json!({ "l": "x" }))];
        let body = Body::Answer { step: read_at(other), edits };
        let put = plan.send(request(Method::Put, object_at(&plan, created, other), body));
        plan.check("put", &["VER-008", "VER-020"], put, Expectation::SameContent { r#as: created });
        let body = Body::Answer { step: read_at(third), edits: vec![] };
        let stale = plan.send(request(Method::Put, object_at(&plan, created, third), body));
        plan.check("stale", &["VER-020"], stale, Expectation::Status(409));
        let labels = patch(json!({ "metadata": { "labels": { "l": "y" } } }));
        let patched = plan.send(request(Method::MergePatch, object_at(&plan, created, third), labels));
        plan.check("patch", &["VER-008"], patched, Expectation::SameContent { r#as: created });
        let annotations = patch(json!([{ "op": "add", "path": "/metadata/annotations/b", "value": "c" }]));
        let patched = plan.send(request(Method::JsonPatch, object_at(&plan, created, at), annotations));
        plan.check("json-patch", &["VER-008"], patched, Expectation::SameContent { r#as: created });
        everywhere(&mut plan, created, patched);
        let deleted = plan.send(request(Method::Delete, object_at(&plan, created, other), Body::None));
        plan.check("delete", &["VER-008"], deleted, Expectation::Accepted);
        let gone = plan.get_at(created, third);
        plan.check("gone", &["VER-008", "VER-019"], gone, Expectation::Status(404));
        plan.count_case();
    });
    plan.finish()
}

/// Reads the object at all versions: everywhere it is what the last write answered.
fn everywhere(plan: &mut Plan, created: StepId, written: StepId) -> [StepId; 3] {
    let reads = VERSIONS.map(|version| plan.get_at(created, version));
    for (read, name) in reads.into_iter().zip(VERSIONS) {
        let asserts = &["VER-008", "VER-019", "INV-036", "CONV-001", "CONV-001/e1"];
        plan.check("content", asserts, read, Expectation::SameContent { r#as: written });
        let api_version = Some(json!(format!("$group/{name}")));
        let expected = Expectation::At { pointer: "/apiVersion".into(), value: api_version };
        plan.check("api-version", &["CONV-001", "VER-019"], read, expected);
        for field in IDENTITY {
            let pointer = format!("/metadata/{field}");
            let same = Expectation::SameAt { pointer: pointer.clone(), r#as: written, other: pointer };
            plan.check("identity", &["VER-019", "INV-036"], read, same);
        }
    }
    reads
}
