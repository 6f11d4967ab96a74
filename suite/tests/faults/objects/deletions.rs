//! Faults in deletions.

use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};

use super::{answer, body_in, body_of, is_write, stored, with_body};
use crate::{
    hooked::{has, is_object, merge},
    server::{error, is_about_definitions},
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("deletions-overlook-finalizers", "an object with finalizers is gone at once")
        // It takes them away before it refuses a deletion, too.
        .breaks(&["REST-044", "REST-045", "REST-046", "REST-048", "REST-049", "INV-074"], &["rest-044-deletion"])
        .blamed(&["REST-044"])
        .around(act!(|server, request| {
            if is_write(&request, &Method::DELETE) && body_of(&request)["preconditions"].is_null() {
                let patch = json!({ "metadata": { "finalizers": null } });
                server.server.send(merge(request.uri().path(), &patch)).await?;
            }
            server.server.send(request).await
        })),
    fault("second-deletions-are-writes", "a second deletion of an object with finalizers is a write")
        .breaks(&["REST-044"], &["rest-044-deletion"])
        .around(act!(|server, request| {
            let is_deletion = is_write(&request, &Method::DELETE);
            let before = if is_deletion { stored(server, &request).await? } else { Value::Null };
            if before.pointer("/metadata/deletionTimestamp").is_some() {
                let patch = json!({ "metadata": { "annotations": { "deleted": "again" } } });
                server.server.send(merge(request.uri().path(), &patch)).await?;
            }
            server.server.send(request).await
        })),
    fault("deletions-do-not-count", "the deletion of an object with finalizers is not counted in its generation")
        .breaks(&["REST-044"], &["rest-044-deletion"])
        .around(act!(|server, request| {
            let is_deletion = is_write(&request, &Method::DELETE);
            let before = if is_deletion { stored(server, &request).await? } else { Value::Null };
            let answered = server.server.send(request).await?;
            let mut after = body_in(&answered);
            let is_first = before.is_object() && before.pointer("/metadata/deletionTimestamp").is_none();
            if is_first && after.pointer("/metadata/deletionTimestamp").is_some() {
                after["metadata"]["generation"] = before["metadata"]["generation"].clone();
                return Ok(answer(200, &after));
            }
            Ok(answered)
        })),
    fault(
        "new-finalizers-are-dropped",
        "a new finalizer of an object that is being deleted is left out and not refused",
    )
    .breaks(&["REST-045", "INV-074"], &["rest-044-deletion"])
    .requests(|request| {
        if is_object(request) {
            with_body(request, |body| {
                let finalizers = body.pointer_mut("/metadata/finalizers").and_then(Value::as_array_mut);
                if let Some(finalizers) = finalizers {
                    finalizers.retain(|finalizer| finalizer != "example.com/new");
                }
            });
        }
    }),
    fault("updates-drop-the-deletion-time", "an update that leaves out the deletionTimestamp shows none")
        .breaks(&["REST-031", "REST-045"], &["rest-044-deletion"])
        .answers(|asked, answer| {
            let is_left_out = asked.body.is_object() && asked.body.pointer("/metadata/deletionTimestamp").is_none();
            let metadata = answer.body.get_mut("metadata").and_then(Value::as_object_mut);
            if let (Some(metadata), true) = (metadata, asked.method == Method::PUT && is_left_out) {
                metadata.remove("deletionTimestamp");
            }
        }),
    fault("last-finalizers-stay", "an object stays when its last finalizer is removed by a PUT")
        .breaks(&["REST-046", "INV-074"], &["rest-044-deletion"])
        .around(act!(|server, request| {
            let body = body_of(&request);
            let finalizers = body.pointer("/metadata/finalizers").and_then(Value::as_array);
            let is_last =
                finalizers.is_some_and(Vec::is_empty) && body.pointer("/metadata/deletionTimestamp").is_some();
            if is_write(&request, &Method::PUT) && is_last {
                let mut tried = request;
                crate::server::set_parameter(&mut tried, "dryRun", Some("All"));
                return server.server.send(tried).await;
            }
            server.server.send(request).await
        })),
    fault("invalid-ends-are-ends", "the write that removes the last finalizer is not validated")
        .breaks(&["REST-046"], &["rest-044-deletion"])
        .around(act!(|server, request| {
            let body = body_of(&request);
            let finalizers = body.pointer("/metadata/finalizers").and_then(Value::as_array);
            let is_last =
                finalizers.is_some_and(Vec::is_empty) && body.pointer("/metadata/deletionTimestamp").is_some();
            if is_write(&request, &Method::PUT) && is_last {
                let patch = json!({ "metadata": { "finalizers": null } });
                return server.server.send(merge(request.uri().path(), &patch)).await;
            }
            server.server.send(request).await
        })),
    fault("uids-depend-on-names", "a new object has the uid of the one that had its name before")
        .breaks(&["REST-043", "INV-072", "REST-044"], &["rest-044-deletion"])
        .blamed(&["REST-043", "INV-072"])
        .around(act!(|server, request| {
            if !is_object(&request) && *request.method() != Method::POST {
                return server.server.send(request).await;
            }
            let is_deletion = *request.method() == Method::DELETE;
            let mut request = request;
            if *request.method() == Method::PUT {
                with_body(&mut request, |body| {
                    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
                        metadata.remove("uid");
                    }
                });
            }
            let answered = server.server.send(request).await?;
            let mut body = body_in(&answered);
            let name = body["metadata"]["name"].as_str().or(body["details"]["name"].as_str()).unwrap_or_default();
            let uid = json!(format!("uid-of-{name}"));
            if answered.status().is_success() {
                let pointer = if body["kind"] == "Status" { "/details/uid" } else { "/metadata/uid" };
                if let Some(shown) = body.pointer_mut(pointer) {
                    *shown = uid;
                }
                return Ok(answer(if is_deletion { 200 } else { answered.status().as_u16() }, &body));
            }
            Ok(answered)
        })),
    fault("deletions-overlook-the-revision", "a deletion does not compare the resourceVersion of its preconditions")
        .breaks(&["REST-047"], &["rest-044-deletion"])
        .requests(|request| {
            if *request.method() == Method::DELETE && !is_about_definitions(request) {
                with_body(request, |options| {
                    if let Some(preconditions) = options.get_mut("preconditions").and_then(Value::as_object_mut) {
                        preconditions.remove("resourceVersion");
                    }
                });
            }
        }),
    fault("deletions-of-nothing-succeed", "the deletion of an object that does not exist succeeds")
        .breaks(&["REST-049"], &["rest-044-deletion"])
        .answers(|asked, answer| {
            if asked.method == Method::DELETE && answer.head.status == 404 {
                answer.head.status = http::StatusCode::OK;
                answer.body = json!({ "kind": "Status", "apiVersion": "v1", "status": "Success", "metadata": {} });
            }
        }),
    obvious_fault("bad-options-count-as-none", "a deletion with options that are no JSON deletes all the same")
        .breaks(&["REST-049/e2"], &["rest-044-deletion"])
        .requests(|request| {
            if *request.method() == Method::DELETE && body_of(request).is_null() {
                *request.body_mut() = Bytes::new();
            }
        }),
    fault("wrong-options-count-as-none", "options of a deletion that have a wrong type are ignored")
        .breaks(&["REST-049/e2"], &["rest-044-deletion"])
        .requests(|request| {
            if *request.method() == Method::DELETE {
                with_body(request, |options| {
                    let texts = ["propagationPolicy", "apiVersion", "kind"];
                    let is_right = |name: &String, value: &Value| match name.as_str() {
                        "dryRun" => value.is_array(),
                        "preconditions" => value.is_object(),
                        "gracePeriodSeconds" => value.is_i64(),
                        "orphanDependents" => value.is_boolean(),
                        name => value.is_string() || !texts.contains(&name),
                    };
                    if let Some(options) = options.as_object_mut() {
                        options.retain(|name, value| is_right(name, value));
                    }
                });
            }
        }),
    fault("bad-options-are-server-errors", "options of a deletion that cannot be read give 500")
        .breaks(&["REST-049/e2"], &["rest-044-deletion"])
        .around(act!(|server, request| {
            let is_deletion = is_write(&request, &Method::DELETE);
            let answered = server.server.send(request).await?;
            Ok(if is_deletion && answered.status() == 400 { error(500, "InternalError") } else { answered })
        })),
    obvious_fault("collections-delete-everything", "the deletion of a collection ignores its selector")
        .breaks(&["REST-023", "REST-068", "INV-053", "INV-075"], &["rest-023-label-selectors"])
        .blamed(&["INV-075", "REST-068"])
        .requests(|request| {
            if *request.method() == Method::DELETE && has(request, "labelSelector") {
                crate::server::set_parameter(request, "labelSelector", None);
            }
        }),
    fault(
        "collections-list-what-is-gone",
        "the answer to the deletion of a collection leaves out objects with finalizers",
    )
    .breaks(&["REST-023", "REST-068", "INV-053", "INV-075"], &["rest-023-label-selectors"])
    .blamed(&["INV-075", "REST-068"])
    .answers(|asked, answer| {
        if asked.method == Method::DELETE
            && let Some(items) = answer.body.get_mut("items").and_then(Value::as_array_mut)
        {
            items.retain(|item| item.pointer("/metadata/finalizers").is_none());
        }
    }),
];
