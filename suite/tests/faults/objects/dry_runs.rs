//! Faults in dry runs.

use http::{Method, StatusCode};
use serde_json::json;

use crate::{
    json::text,
    sent::{body_of, is_object, is_patch, merge, query_contains, set_parameter},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("dry-runs-show-a-next-revision", "a dry run of an update shows another resourceVersion than the stored one")
        .breaks(&["REST-059"], &["rest-058-dry-runs"])
        .answers(|asked, answer| {
            let revision = text(&answer.body, "/metadata/resourceVersion").parse::<u64>();
            if let (Ok(revision), true) = (revision, asked.is_put_or_patch() && asked.has_parameter("dryRun=All")) {
                answer.body["metadata"]["resourceVersion"] = json!((revision + 1).to_string());
            }
        }),
    obvious_fault("dry-creates-show-a-revision", "a dry run of a create shows a resourceVersion")
        .breaks(&["REST-059"], &["rest-058-dry-runs"])
        .answers(|asked, answer| {
            if asked.method == Method::POST && asked.has_parameter("dryRun=All") && answer.is_success() {
                answer.body["metadata"]["resourceVersion"] = json!("1");
            }
        }),
    fault("dry-creates-answer-200", "a dry run of a create is answered with 200, and not with 201")
        .breaks(&["REST-058"], &["rest-058-dry-runs"])
        .answers(|asked, answer| {
            if asked.method == Method::POST && asked.has_parameter("dryRun=All") && answer.is_success() {
                answer.head.status = StatusCode::OK;
            }
        }),
    obvious_fault("dry-deletions-delete", "a dry run of a deletion deletes")
        .breaks(&["REST-049", "REST-058", "INV-069"], &["rest-058-dry-runs"])
        .blamed(&["REST-049", "INV-069"])
        .requests(|request| {
            if *request.method() == Method::DELETE && is_object(request) {
                set_parameter(request, "dryRun", None);
            }
        }),
    fault("dry-runs-do-not-count", "a dry run shows the stored generation, also if the content changes")
        .breaks(&["REST-059"], &["rest-058-dry-runs"])
        .results(
            |request| [Method::PUT, Method::PATCH].contains(request.method()) && query_contains(request, "dryRun=All"),
            |before, after| after["metadata"]["generation"] = before["metadata"]["generation"].clone(),
        ),
    fault("dry-patches-of-labels-are-stored", "the labels of a patch are stored, also if it is a dry run")
        .breaks(&["REST-058", "REST-059", "INV-069"], &["rest-058-dry-runs"])
        .blamed(&["REST-059"])
        .around(act!(|server, request| {
            let is_dry = is_patch(&request, "merge-patch") && query_contains(&request, "dryRun=All");
            let labels = body_of(&request).pointer("/metadata/labels").cloned();
            if let (Some(labels), true) = (labels, is_dry) {
                let patch = json!({ "metadata": { "labels": labels } });
                server.pass(merge(request.uri().path(), &patch)).await?;
            }
            server.pass(request).await
        })),
];
