//! VER-008, VER-019 and VER-020: an object is the same object at every served version.

use crdible_scenario::QueryFromAnswer;

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("ver-008-served", plan)
    .title("every served version accepts every verb on the same objects")
    .asserts(&[
        "VER-008",
        "VER-008/e1",
        "VER-019",
        "VER-020",
        "INV-036",
        "CONV-001",
        "CONV-001/e1",
        "REST-013",
        "REST-033",
    ])
    .needs(&[Capability::Storing]);

const VERSIONS: [&str; 3] = ["v1", "v2", "v3"];
const IDENTITY: [&str; 8] =
    ["name", "namespace", "uid", "resourceVersion", "generation", "labels", "annotations", "creationTimestamp"];
const LABELS: &str = "/metadata/labels";

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let schema = choices.span("schema", |choices| schema::schema(choices, &SchemaShape::default()));
    let json = schema.to_json();
    let versions =
        VERSIONS.iter().enumerate().map(|(at, name)| Version::named(*name, json.clone()).stored_if(at == 0)).collect();
    let definition = plan.define_versions(versions);
    plan.cases(choices, "object", |plan, choices| {
        let mut content = value::valid(choices, &schema);
        content["metadata"] = json!({ "labels": { "l": "w" }, "annotations": { "a": "b" } });
        let [at, other, third] = *choices.pick(&[["v1", "v2", "v3"], ["v2", "v1", "v3"], ["v3", "v2", "v1"]]);
        let created = plan.create_at(definition, at, content);
        plan.assume(created, Expectation::Accepted);
        let own = read_back_whole(plan, created, created, "REST-013");
        let reads = everywhere(plan, created, own);
        let read_at = |version: &str| reads[VERSIONS.iter().position(|name| *name == version).unwrap_or(0)];
        // A body at a version other than that of the URL.
        let body = Body::Answer { step: read_at(third), edits: vec![] };
        let crossed = plan.send(Request::put(plan.object_at(created, other), body));
        plan.check("crossed", &["VER-008/e1"], crossed, Expectation::BadRequest);
        let as_new = Edit::AsNew { object: plan.next_object() };
        let body = Body::Answer { step: read_at(third), edits: vec![as_new] };
        let resource = Resource::objects(definition, other);
        let posted = plan.send(Request::post(resource, body).as_dry_run());
        plan.check("crossed-create", &["VER-008/e1"], posted, Expectation::BadRequest);
        let edits = vec![Edit::Set(LABELS.into(), json!({ "l": "x" }))];
        let body = Body::Answer { step: read_at(other), edits };
        let put = plan.send(Request::put(plan.object_at(created, other), body));
        plan.check("put", &["VER-008", "VER-020"], put, Expectation::same_content(own));
        let body = Body::Answer { step: read_at(third), edits: vec![] };
        let stale = plan.send(Request::put(plan.object_at(created, third), body));
        plan.check("stale", &["VER-020"], stale, Expectation::Status(409));
        let labels = Body::json(json!({ "metadata": { "labels": { "l": "y" } } }));
        let patched = plan.send(Request::merge_patch(plan.object_at(created, third), labels));
        plan.check("patch", &["VER-008"], patched, Expectation::same_content(own));
        let annotations = Body::json(json!([{ "op": "add", "path": "/metadata/annotations/b", "value": "c" }]));
        let patched = plan.send(Request::json_patch(plan.object_at(created, at), annotations));
        plan.check("json-patch", &["VER-008"], patched, Expectation::same_content(own));
        let own = read_back_whole(plan, created, patched, "REST-033");
        let reads = everywhere(plan, created, own);
        // The revision of a write at one version is known at another.
        let revision = QueryFromAnswer::revision_of(patched);
        let list = Request::get(Resource::objects(definition, third));
        let list = plan.send(Request { query_from_answers: vec![revision], ..list });
        // A replica may ask for patience.
        plan.repeat_until(list, Expectation::Accepted);
        let shown = reads[VERSIONS.iter().position(|name| *name == third).unwrap_or(0)];
        plan.check("list-since", &["VER-020"], list, NamedCheck::Listed.against(shown));
        let deleted = plan.send(Request::delete(plan.object_at(created, other)));
        plan.check("delete", &["VER-008"], deleted, Expectation::Accepted);
        let gone = plan.get_at(created, third);
        plan.check("gone", &["VER-008", "VER-019"], gone, Expectation::Status(404));
    });
}

/// GET of the object at its own version: what a write answered, to which this requirement applies.
fn read_back_whole(plan: &mut Plan, created: StepId, written: StepId, asserts: &str) -> StepId {
    let read = plan.get(created);
    plan.check("as-answered", &[asserts], read, Expectation::same_content(written));
    for field in IDENTITY {
        plan.check("identity-as-answered", &[asserts], read, same_at(format!("/metadata/{field}"), written));
    }
    read
}

/// Reads the object at all versions: each answer equals that at its own.
fn everywhere(plan: &mut Plan, created: StepId, own: StepId) -> [StepId; 3] {
    let reads = VERSIONS.map(|version| plan.get_at(created, version));
    for (read, name) in reads.into_iter().zip(VERSIONS) {
        plan.check("api-version", &["CONV-001", "VER-019"], read, at("/apiVersion", format!("$group/{name}")));
        let asserts = &["VER-008", "VER-019", "INV-036", "CONV-001", "CONV-001/e1"];
        plan.check("content", asserts, read, Expectation::same_content(own));
        for field in IDENTITY {
            let same = same_at(format!("/metadata/{field}"), own);
            plan.check("identity", &["VER-019", "INV-036"], read, same);
        }
    }
    reads
}
