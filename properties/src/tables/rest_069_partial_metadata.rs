//! REST-069, INV-060: objects by their metadata alone.

use super::{
    object::Fields,
    table::{owned, request, request_at},
};
use crate::prelude::*;
use crate::shared::definitions::refused_as;

pub(super) const PROPERTY: Property = Property::new("rest-069-partial-metadata", plan)
    .title("PartialObjectMetadata holds the same metadata as the full object, and nothing else")
    .asserts(&["REST-069", "REST-069/e1", "INV-060"])
    .needs(&[Capability::Storing, Capability::PartialMetadata]);

const VERSIONS: [(&str, &[&str]); 2] = [("v1", &["REST-069"]), ("v1beta1", &["REST-069/e1"])];

fn accept(kind: &str, version: &str) -> String {
    format!("application/json;as={kind};g=meta.k8s.io;v={version}")
}

/// Checks that an answer is the metadata of another one.
fn check(plan: &mut Plan, name: &str, asserts: &[&str], partial: StepId, plain: StepId, version: &str) {
    plan.check(name, asserts, partial, NamedCheck::MetadataOnly { version: version.to_owned() }.against(plain));
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let scope = if choices.chance(1, 3) { Definition::namespaced } else { std::convert::identity };
    let fields = Fields::of(choices, [], &["number"]);
    let definition = plan.define(scope(Definition::with_versions(vec![Version::only(fields.schema())])));
    let created: Vec<StepId> = choices.case_parts("object", |choices, _| {
        let mut sent = fields.draw(choices);
        let annotations = *choices.pick(&["", "b", "ä"]);
        if !annotations.is_empty() {
            sent["metadata"]["annotations"] = json!({ "a": annotations });
        }
        plan.count_case();
        plan.create(definition, sent)
    });
    let list = Resource::objects(definition, "v1");
    choices.many("request", 1, 5, |choices, _| {
        let (version, of_version) = *choices.pick(&VERSIONS);
        let asserts: Vec<&str> = of_version.iter().copied().chain(["INV-060"]).collect();
        let object = *choices.pick(&created);
        match choices.weighted(&[4, 4, 4, 1, 1]) {
            0 => {
                let plain = plan.get(object);
                let resource = plan.object_of(object);
                let accept = accept("PartialObjectMetadata", version);
                let query = [("includeObject", "Object")];
                let partial = plan.send(request(resource, &accept, if choices.chance(1, 4) { &query } else { &[] }));
                check(plan, "object", &asserts, partial, plain, version);
            }
            1 => {
                let mut query: Vec<(&str, &str)> = Vec::new();
                query.extend(choices.chance(1, 4).then(|| ("limit", *choices.pick(&["1", "2"]))));
                query
                    .extend(choices.chance(1, 4).then(|| ("labelSelector", *choices.pick(&["l=x", "l!=x", "l=none"]))));
                let plain = plan.send(Request { query: owned(&query), ..Request::get(list.clone()) });
                plan.assume(plain, Expectation::Accepted);
                let accept = accept("PartialObjectMetadataList", version);
                let partial = plan.send(request_at(plan, plain, &accept, &query));
                check(plan, "list", &asserts, partial, plain, version);
                plan.check("list-metadata", &["REST-069"], partial, NamedCheck::TableMetadata.against(plain));
            }
            2 => {
                let resource = plan.object_of(object);
                let (method, body) = write(choices);
                let accept = Some(accept("PartialObjectMetadata", version));
                let partial = plan.send(Request { accept, ..Request::new(method, resource, body) });
                let plain = plan.get(object);
                check(plan, "write", of_version, partial, plain, version);
            }
            3 => {
                let refused = plan.send(request(list.clone(), &accept("PartialObjectMetadata", "v1"), &[]));
                plan.check("one-for-a-list", &["REST-069/e1"], refused, refused_as(406, "NotAcceptable"));
            }
            _ => {
                let accept = Some(accept("PartialObjectMetadata", version));
                let extra = plan.create(definition, json!({ "spec": {} }));
                let resource = plan.object_of(extra);
                let deleted = plan.send(Request { accept, ..Request::delete(resource) });
                plan.check("deletion", &["REST-069"], deleted, at("/kind", "Status"));
            }
        }
    });
}

fn write(choices: &mut Choices) -> (Method, Body) {
    let label: Value = json!(*choices.pick(&["x", "y", "z"]));
    let number = json!(choices.between(0, 3));
    match choices.draw(2) {
        0 => (Method::MergePatch, Body::json(json!({ "metadata": { "labels": { "l": label } } }))),
        1 => (Method::MergePatch, Body::json(json!({ "spec": { "number": number } }))),
        _ => {
            let patch = json!([{ "op": "add", "path": "/metadata/annotations", "value": { "a": label } }]);
            (Method::JsonPatch, Body::json(patch))
        }
    }
}
