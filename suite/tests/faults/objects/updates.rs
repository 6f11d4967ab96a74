//! Faults in PUTs of objects, and in what becomes of generation and resourceVersion.

use bytes::Bytes;
use crdible::connection::{HttpRequest, TransportError};
use http::{Method, Response};
use serde_json::{Value, json};

use super::{answer, body_in, body_of, count_up, is_write, stored, with_body};
use crate::{
    hooked::{Hooked, has, is_object, merge, read},
    server::replace_body,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("puts-without-a-revision-overwrite", "a PUT without a resourceVersion is stored")
        .breaks(&["REST-029", "REST-009"], &["rest-029-refused-writes"])
        .blamed(&["REST-029"])
        .around(act!(|server, request| {
            if !is_write(&request, &Method::PUT) {
                return server.server.send(request).await;
            }
            let mut body = body_of(&request);
            let is_missing = matches!(body["metadata"]["resourceVersion"].as_str(), None | Some(""));
            if is_missing {
                body["metadata"]["resourceVersion"] =
                    stored(server, &request).await?["metadata"]["resourceVersion"].clone();
            }
            let mut request = request;
            replace_body(&mut request, &body);
            server.server.send(request).await
        })),
    fault("puts-at-revision-0-overwrite", "a PUT with the resourceVersion `0` is stored")
        .breaks(&["REST-029", "REST-009"], &["rest-029-refused-writes"])
        .blamed(&["REST-029"])
        .around(act!(|server, request| {
            let mut body = body_of(&request);
            if !is_write(&request, &Method::PUT) || body["metadata"]["resourceVersion"] != "0" {
                return server.server.send(request).await;
            }
            body["metadata"]["resourceVersion"] =
                stored(server, &request).await?["metadata"]["resourceVersion"].clone();
            let mut request = request;
            replace_body(&mut request, &body);
            server.server.send(request).await
        })),
    fault("puts-overlook-the-uid", "the uid of a PUT is not compared")
        .breaks(&["REST-030"], &["rest-029-refused-writes"])
        .requests(|request| {
            if is_write(request, &Method::PUT) {
                with_body(request, |body| {
                    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
                        metadata.remove("uid");
                    }
                });
            }
        }),
    fault("puts-take-the-name-of-the-url", "a PUT of another name is one of the name in its URL")
        .breaks(&["REST-009"], &["rest-029-refused-writes"])
        .requests(|request| {
            if is_write(request, &Method::PUT) {
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
            let answered = server.server.send(request.clone()).await?;
            if !is_write(&request, &Method::PUT) || answered.status() != 404 {
                return Ok(answered);
            }
            let mut body = body_of(&request);
            if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
                metadata.remove("resourceVersion");
            }
            let mut create = super::instead(&request, Method::POST, &body);
            let collection = request.uri().path().rsplit_once('/').map_or("/", |(collection, _)| collection);
            *create.uri_mut() = collection.parse().unwrap_or_default();
            server.server.send(create).await
        })),
    fault("puts-without-a-change-are-writes", "a PUT that changes nothing gets a new resourceVersion")
        .breaks(&["REST-040", "INV-061"], &["rest-040-writes"])
        .blamed(&["INV-061"])
        .around(act!(|server, request| {
            let is_meant = is_write(&request, &Method::PUT);
            write_anyway(server, request, is_meant).await
        })),
    fault("other-managers-are-a-change", "a write that changes nothing is one if another manager sends it")
        .breaks(&["REST-040", "INV-061", "INV-062"], &["rest-040-writes"])
        .blamed(&["INV-062", "REST-040"])
        .around(act!(|server, request| {
            let is_meant = has(&request, "fieldManager=another") && is_object(&request) && !has(&request, "dryRun");
            write_anyway(server, request, is_meant).await
        })),
    fault("labels-count-as-content", "a change of labels alone is counted in the generation")
        .breaks(&["INV-066", "INV-068", "REST-059"], &["rest-040-writes"])
        .blamed(&["INV-066", "INV-068"])
        .around(act!(|server, request| {
            let is_update = [Method::PUT, Method::PATCH].contains(request.method()) && is_object(&request);
            let before = if is_update { stored(server, &request).await? } else { Value::Null };
            let answered = server.server.send(request).await?;
            let mut after = body_in(&answered);
            if before.is_object()
                && answered.status().is_success()
                && before["spec"] == after["spec"]
                && before["metadata"]["labels"] != after["metadata"]["labels"]
            {
                count_up(&mut after);
                return Ok(answer(200, &after));
            }
            Ok(answered)
        })),
    fault("updates-take-the-creation-time", "an update shows the creationTimestamp that the client sent")
        .breaks(&["REST-031", "INV-079"], &["rest-040-writes"])
        .answers(|asked, answer| {
            let sent = asked.body.pointer("/metadata/creationTimestamp").cloned();
            let is_update = [Method::PUT, Method::PATCH].contains(&asked.method);
            if let (Some(sent), true) = (sent, is_update && answer.head.status.is_success()) {
                answer.body["metadata"]["creationTimestamp"] = sent;
            }
        }),
    fault("puts-keep-annotations", "an annotation that a PUT leaves out stays")
        .breaks(&["REST-028"], &["rest-040-writes"])
        .around(act!(|server, request| {
            if !is_write(&request, &Method::PUT) {
                return server.server.send(request).await;
            }
            let mut body = body_of(&request);
            let before = stored(server, &request).await?;
            for (name, value) in
                before.pointer("/metadata/annotations").and_then(Value::as_object).into_iter().flatten()
            {
                if body["metadata"]["annotations"].get(name).is_none() {
                    body["metadata"]["annotations"][name] = value.clone();
                }
            }
            let mut request = request;
            replace_body(&mut request, &body);
            server.server.send(request).await
        })),
    fault("errors-say-no-code", "a Status lacks its code if it is about a conflict")
        .breaks(&["REST-005"], &["rest-029-refused-writes"])
        .answers(|_, answer| {
            if answer.head.status == 409
                && let Some(status) = answer.body.as_object_mut()
            {
                status.remove("code");
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
        .around(act!(|server, request| {
            let is_update = [Method::PUT, Method::PATCH].contains(request.method()) && is_object(&request);
            let before = if is_update { stored(server, &request).await? } else { Value::Null };
            let answered = server.server.send(request).await?;
            let mut after = body_in(&answered);
            if before["spec"]["l"] == after["spec"]["l"] || before.is_null() || !answered.status().is_success() {
                return Ok(answered);
            }
            after["metadata"]["generation"] = before["metadata"]["generation"].clone();
            Ok(answer(200, &after))
        })),
];

/// Writes the object once more, as it is, if the request is meant and changed nothing.
async fn write_anyway(
    server: &Hooked,
    request: HttpRequest,
    is_meant: bool,
) -> Result<Response<Bytes>, TransportError> {
    let before = if is_meant { stored(server, &request).await? } else { Value::Null };
    let path = request.uri().path().to_owned();
    let answered = server.server.send(request).await?;
    let revision = |object: &Value| object["metadata"]["resourceVersion"].clone();
    if before.is_null() || revision(&before) != revision(&body_in(&answered)) {
        return Ok(answered);
    }
    for value in [json!("x"), Value::Null] {
        server.server.send(merge(&path, &json!({ "metadata": { "labels": { "touched": value } } }))).await?;
    }
    server.server.send(read(&path)).await
}
