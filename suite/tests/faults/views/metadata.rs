//! Faults in answers that show metadata alone.

use http::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::{
    json::{elements, remove},
    sent::{accept, change_header},
    table::{Fault, fault, obvious_fault},
};

const ALL: &[&str] = &["REST-069", "INV-060"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("metadata-alone-has-no-annotations", "who asks for metadata alone sees no annotations")
        .breaks(ALL, &["rest-069-partial-metadata"])
        .answers(|_, answer| {
            elements(&mut answer.body, "/items").for_each(drop_annotations);
            drop_annotations(&mut answer.body);
        }),
    fault("lists-of-metadata-lose-the-revision", "a list of metadata alone has no resourceVersion")
        .breaks(ALL, &["rest-069-partial-metadata"])
        .answers(|_, answer| {
            if answer.body["kind"] == "PartialObjectMetadataList" {
                remove(&mut answer.body, "/metadata/resourceVersion");
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
            change_header(request, header::ACCEPT, |accept| accept.replace("v=v1beta1", "v=v0"));
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

/// Drops the annotations of an object that shows its metadata alone.
fn drop_annotations(object: &mut Value) {
    if object["kind"] == "PartialObjectMetadata" {
        remove(object, "/metadata/annotations");
    }
}
