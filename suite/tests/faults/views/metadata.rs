//! Faults in answers that show metadata alone.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{accept, accepted};
use crate::table::{Fault, fault, obvious_fault};

const ALL: &[&str] = &["REST-069", "INV-060"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("metadata-alone-has-no-annotations", "who asks for metadata alone sees no annotations")
        .breaks(ALL, &["rest-069-partial-metadata"])
        .answers(|_, answer| {
            let is_alone = |object: &&mut Value| object["kind"] == "PartialObjectMetadata";
            let items = answer.body.get_mut("items").and_then(Value::as_array_mut);
            for item in items.into_iter().flatten().filter(is_alone) {
                *item = bare(item.take());
            }
            if is_alone(&&mut answer.body) {
                answer.body = bare(answer.body.take());
            }
        }),
    fault("lists-of-metadata-lose-the-revision", "a list of metadata alone has no resourceVersion")
        .breaks(ALL, &["rest-069-partial-metadata"])
        .answers(|_, answer| {
            if answer.body["kind"] == "PartialObjectMetadataList"
                && let Some(metadata) = answer.body.get_mut("metadata").and_then(Value::as_object_mut)
            {
                metadata.remove("resourceVersion");
            }
        }),
    obvious_fault("shows-the-spec-with-metadata", "who asks for metadata alone sees the spec, too")
        .breaks(ALL, &["rest-069-partial-metadata"])
        .answers(|_, answer| {
            if answer.body["kind"] == "PartialObjectMetadata" {
                answer.body["spec"] = json!({});
            }
        }),
    fault("writes-show-whole-objects", "the answer to a write is never metadata alone")
        .breaks(ALL, &["rest-069-partial-metadata"])
        .requests(|request| {
            if *request.method() == Method::PATCH {
                accept(request, "application/json");
            }
        }),
    fault("knows-no-older-metadata", "metadata alone of v1beta1 is not known")
        .breaks(ALL, &["rest-069-partial-metadata"])
        .requests(|request| {
            let accepted = accepted(request).replace("v=v1beta1", "v=v0");
            accept(request, &accepted);
        }),
    fault("shows-a-list-as-one", "a list is acceptable as the metadata of one object")
        .breaks(ALL, &["rest-069-partial-metadata"])
        .answers(|_, answer| {
            if answer.head.status == StatusCode::NOT_ACCEPTABLE {
                answer.head.status = StatusCode::OK;
                answer.body =
                    json!({ "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {} });
            }
        }),
];

/// An object without annotations.
fn bare(mut object: Value) -> Value {
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("annotations");
    }
    object
}
