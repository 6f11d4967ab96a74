//! Faults in PUTs of objects, and in what becomes of generation and resourceVersion.

use bytes::Bytes;
use crdible::connection::{HttpRequest, TransportError};
use http::{Method, Response};
use serde_json::{Value, json};

use crate::{
    json::{count_up, parsed, remove, text},
    layer::Layered,
    sent::{
        body_of, create_instead, is_object, is_update, is_write, merge, query_contains, read, send_without, with_body,
    },
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("puts-without-a-revision-overwrite", "a PUT without a resourceVersion is stored")
        .breaks(&["REST-029", "REST-009"], &["rest-029-refused-writes"])
        .blamed(&["REST-029"])
        .bodies(is_put, |body, object| {
            if text(body, "/metadata/resourceVersion").is_empty() {
                body["metadata"]["resourceVersion"] = object["metadata"]["resourceVersion"].clone();
            }
        }),
    fault("puts-at-revision-0-overwrite", "a PUT with the resourceVersion `0` is stored")
        .breaks(&["REST-029", "REST-009"], &["rest-029-refused-writes"])
        .blamed(&["REST-029"])
        .bodies(is_put, |body, object| {
            if body["metadata"]["resourceVersion"] == "0" {
                body["metadata"]["resourceVersion"] = object["metadata"]["resourceVersion"].clone();
            }
        }),
    fault("labels-change-no-revision", "a write that changes only labels shows the revision before it")
        .breaks(&["INV-067", "REST-019", "REST-020"], &["rest-040-writes"])
        .blamed(&["INV-067"])
        .results(is_update, |before, after| {
            if before["metadata"]["labels"] != after["metadata"]["labels"] && before["spec"] == after["spec"] {
                after["metadata"]["resourceVersion"] = before["metadata"]["resourceVersion"].clone();
            }
        }),
    fault("puts-overlook-the-uid", "the uid of a PUT is not compared")
        .breaks(&["REST-030"], &["rest-029-refused-writes"])
        .requests(|request| {
            if is_put(request) {
                send_without(request, "/metadata/uid");
            }
        }),
    fault("puts-take-the-name-of-the-url", "a PUT of another name is one of the name in its URL")
        .breaks(&["REST-009"], &["rest-029-refused-writes"])
        .requests(|request| {
            if is_put(request) {
                let name = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
                with_body(request, |body| {
                    if body.pointer("/metadata/name").is_some() {
                        body["metadata"]["name"] = json!(name);
                    }
                });
            }
        }),
    obvious_fault("puts-create", "a PUT of a name that does not exist creates the object")
        .breaks(&["REST-028"], &["rest-029-refused-writes"])
        .around(act!(|server, request| {
            let (is_put, mut body) = (is_put(&request), body_of(&request));
            let answered = server.pass(request.clone()).await?;
            if !is_put || answered.status() != 404 {
                return Ok(answered);
            }
            remove(&mut body, "/metadata/resourceVersion");
            server.pass(create_instead(&request, &body)).await
        })),
    fault("puts-without-a-change-are-writes", "a PUT that changes nothing gets a new resourceVersion")
        .breaks(&["REST-040", "INV-061"], &["rest-040-writes"])
        .blamed(&["INV-061"])
        .around(act!(|server, request| {
            let is_meant = is_put(&request);
            write_anyway(server, request, is_meant).await
        })),
    fault("other-managers-are-a-change", "a write that changes nothing is one if another manager sends it")
        .breaks(&["REST-040", "INV-061", "INV-062"], &["rest-040-writes"])
        .blamed(&["INV-062", "REST-040"])
        .around(act!(|server, request| {
            let is_meant = query_contains(&request, "fieldManager=another")
                && is_object(&request)
                && !query_contains(&request, "dryRun");
            write_anyway(server, request, is_meant).await
        })),
    fault("labels-count-as-content", "a change of labels alone is counted in the generation")
        .breaks(&["INV-066", "INV-068", "REST-059"], &["rest-040-writes"])
        .blamed(&["INV-066", "INV-068"])
        .results(is_update, |before, after| {
            let are_changed = before["metadata"]["labels"] != after["metadata"]["labels"];
            if are_changed && before["spec"] == after["spec"] {
                count_up(after);
            }
        }),
    fault("updates-take-the-creation-time", "an update shows the creationTimestamp that the client sent")
        .breaks(&["REST-031", "INV-079"], &["rest-040-writes"])
        .answers(|asked, answer| {
            let sent = asked.body.pointer("/metadata/creationTimestamp").cloned();
            if let (Some(sent), true) = (sent, asked.is_put_or_patch() && answer.is_success()) {
                answer.body["metadata"]["creationTimestamp"] = sent;
            }
        }),
    fault("puts-keep-annotations", "an annotation that a PUT leaves out stays")
        .breaks(&["REST-028"], &["rest-040-writes"])
        .bodies(is_put, |body, object| {
            let annotations = object.pointer("/metadata/annotations").and_then(Value::as_object);
            for (name, value) in annotations.into_iter().flatten() {
                if body["metadata"]["annotations"].get(name).is_none() {
                    body["metadata"]["annotations"][name] = value.clone();
                }
            }
        }),
    fault("errors-say-no-code", "a Status lacks its code if it is about a conflict")
        .breaks(&["REST-005"], &["rest-029-refused-writes"])
        .answers(|_, answer| {
            if answer.head.status == 409 {
                remove(&mut answer.body, "/code");
            }
        }),
    fault("unknown-types-are-invalid", "the reason of a 415 is `Invalid`")
        .breaks(&["REST-006", "REST-032", "REST-073"], &["rest-029-refused-writes", "rest-013-creates"])
        .blamed(&["REST-032", "REST-006"])
        .answers(|_, answer| {
            if answer.head.status == 415 {
                answer.body["reason"] = json!("Invalid");
            }
        }),
    fault("updates-forget-the-generation", "a change of a list is not counted in the generation")
        .breaks(&["INV-066"], &["rest-040-writes"])
        .results(is_update, |before, after| {
            if before["spec"]["l"] != after["spec"]["l"] {
                after["metadata"]["generation"] = before["metadata"]["generation"].clone();
            }
        }),
];

/// Whether it is a PUT of one object, and no dry run.
fn is_put(request: &HttpRequest) -> bool {
    is_write(request, &Method::PUT)
}

/// Writes the object once more, as it is, if the request is meant and changed nothing.
async fn write_anyway(
    server: &Layered,
    request: HttpRequest,
    is_meant: bool,
) -> Result<Response<Bytes>, TransportError> {
    let before = if is_meant { server.object(&request).await? } else { Value::Null };
    let path = request.uri().path().to_owned();
    let answered = server.pass(request).await?;
    let revision = |object: &Value| object["metadata"]["resourceVersion"].clone();
    if before.is_null() || revision(&before) != revision(&parsed(answered.body())) {
        return Ok(answered);
    }
    for value in [json!("x"), Value::Null] {
        server.pass(merge(&path, &json!({ "metadata": { "labels": { "touched": value } } }))).await?;
    }
    server.pass(read(&path)).await
}
