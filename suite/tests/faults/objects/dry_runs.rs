//! Faults in dry runs.

use http::Method;
use serde_json::{Value, json};

use super::{answer, body_in, stored};
use crate::{
    hooked::{has, is_object},
    server::set_parameter,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("dry-runs-show-a-next-revision", "a dry run of an update shows another resourceVersion than the stored one")
        .breaks(&["REST-059"], &["rest-058-dry-runs"])
        .answers(|asked, answer| {
            let is_update = [Method::PUT, Method::PATCH].contains(&asked.method) && asked.has("dryRun=All");
            let revision = answer.body.pointer("/metadata/resourceVersion").and_then(Value::as_str);
            if let (Some(revision), true) = (revision.and_then(|text| text.parse::<u64>().ok()), is_update) {
                answer.body["metadata"]["resourceVersion"] = json!((revision + 1).to_string());
            }
        }),
    obvious_fault("dry-creates-show-a-revision", "a dry run of a create shows a resourceVersion")
        .breaks(&["REST-059"], &["rest-058-dry-runs"])
        .answers(|asked, answer| {
            let is_create = asked.method == Method::POST && asked.has("dryRun=All");
            if is_create && answer.head.status.is_success() {
                answer.body["metadata"]["resourceVersion"] = json!("1");
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
        .around(act!(|server, request| {
            let is_update = [Method::PUT, Method::PATCH].contains(request.method());
            if !is_update || !has(&request, "dryRun=All") {
                return server.server.send(request).await;
            }
            let before = stored(server, &request).await?;
            let answered = server.server.send(request).await?;
            let mut after = body_in(&answered);
            if answered.status().is_success() {
                after["metadata"]["generation"] = before["metadata"]["generation"].clone();
                return Ok(answer(200, &after));
            }
            Ok(answered)
        })),
    fault("dry-patches-of-labels-are-stored", "the labels of a patch are stored, also if it is a dry run")
        .breaks(&["REST-058", "REST-059", "INV-069"], &["rest-058-dry-runs"])
        .blamed(&["REST-059"])
        .around(act!(|server, request| {
            let is_dry = super::is_patch(&request, "merge-patch") && has(&request, "dryRun=All");
            let labels = super::body_of(&request).pointer("/metadata/labels").cloned();
            if let (Some(labels), true) = (labels, is_dry) {
                let patch = json!({ "metadata": { "labels": labels } });
                server.server.send(crate::hooked::merge(request.uri().path(), &patch)).await?;
            }
            server.server.send(request).await
        })),
];
