//! Faults in patches of objects.

use bytes::Bytes;
use crdible::connection::{HttpRequest, TransportError};
use http::{HeaderValue, Method, Response, header};
use serde_json::{Value, json};

use super::{body_of, is_patch, stored, with_body};
use crate::{
    hooked::{Hooked, is_object},
    server::replace_body,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("defaults-come-back-within-a-patch", "a default that an operation removes is there for the next one")
        .breaks(&["INV-064", "REST-033"], &["rest-033-json-patch"])
        .requests(|request| {
            if is_patch(request, "json-patch") {
                with_body(request, |patch| {
                    let Some(operations) = patch.as_array_mut() else { return };
                    let is_removal = |operation: &Value| operation["op"] == "remove" && operation["path"] == "/spec/g";
                    if let (Some(at), true) = (operations.iter().position(is_removal), operations.len() > 1) {
                        operations.insert(at + 1, json!({ "op": "add", "path": "/spec/g", "value": 7 }));
                    }
                });
            }
        }),
    fault("patches-are-pruned-within", "an unknown field that an operation adds is not there for the next one")
        .breaks(&["INV-064", "REST-033"], &["rest-033-json-patch"])
        .requests(|request| {
            if is_patch(request, "json-patch") {
                with_body(request, |patch| {
                    if let Some(operations) = patch.as_array_mut().filter(|operations| operations.len() > 1) {
                        operations.retain(|operation| operation["path"] != "/u");
                    }
                });
            }
        }),
    fault("json-patches-apply-what-they-can", "of a JSON patch whose last operation fails the others are applied")
        .breaks(&["REST-033"], &["rest-033-json-patch"])
        .around(act!(|server, request| {
            let answered = server.server.send(request.clone()).await?;
            let mut operations = body_of(&request);
            if !is_patch(&request, "json-patch") || answered.status() != 422 {
                return Ok(answered);
            }
            operations.as_array_mut().map(Vec::pop);
            let mut shorter = request;
            replace_body(&mut shorter, &operations);
            server.server.send(shorter).await?;
            Ok(answered)
        })),
    fault("json-patches-replace-elements", "`add` of an element that exists replaces it")
        .breaks(&["REST-033", "INV-064"], &["rest-033-json-patch"])
        .blamed(&["REST-033"])
        .around(act!(|server, request| {
            patch_otherwise(server, request, "json-patch", |operations, object| {
                if let Some(operation) = operations.get_mut(0)
                    && operation["op"] == "add"
                    && let Some((list, at)) = operation["path"].as_str().and_then(|path| path.rsplit_once('/'))
                    && let Some(elements) = object.pointer(list).and_then(Value::as_array)
                    && at.parse::<usize>().is_ok_and(|at| at < elements.len())
                {
                    operation["op"] = json!("replace");
                }
            })
            .await
        })),
    fault("json-patches-unescape-twice", "`~01` in a path of a JSON patch is read as `/`")
        .breaks(&["REST-033", "INV-064"], &["rest-033-json-patch"])
        .blamed(&["REST-033"])
        .requests(|request| {
            if is_patch(request, "json-patch") {
                with_body(request, |operations| {
                    for operation in operations.as_array_mut().into_iter().flatten() {
                        for field in ["path", "from"] {
                            if let Some(path) = operation.get(field).and_then(Value::as_str) {
                                operation[field] = json!(path.replace("~01", "~1"));
                            }
                        }
                    }
                });
            }
        }),
    fault("json-patches-copy-what-they-move", "`move` leaves the value where it was")
        .breaks(&["REST-033", "INV-064"], &["rest-033-json-patch"])
        .requests(|request| {
            if is_patch(request, "json-patch") {
                with_body(request, |operations| {
                    for operation in operations.as_array_mut().into_iter().flatten() {
                        if operation["op"] == "move" && operation["from"] != "/spec/missing" {
                            operation["op"] = json!("copy");
                        }
                    }
                });
            }
        }),
    fault("json-patches-test-nothing", "`test` of a JSON patch always holds")
        .breaks(&["REST-033"], &["rest-033-json-patch"])
        .requests(|request| {
            if is_patch(request, "json-patch") {
                with_body(request, |operations| {
                    if let Some(operations) = operations.as_array_mut() {
                        operations.retain(|operation| operation["op"] != "test");
                    }
                });
            }
        }),
    obvious_fault("merge-patches-append-to-lists", "a list in a merge patch is appended to the one that is there")
        .breaks(
            &["REST-034", "REST-040", "REST-028", "INV-063"],
            &["rest-034-merge-patch", "rest-040-writes", "inv-063-ways-to-write"],
        )
        .blamed(&["REST-034", "INV-063"])
        .within_lines(120)
        .around(act!(|server, request| { patch_otherwise(server, request, "merge-patch", append).await })),
    fault(
        "merge-patches-replace-deep-objects",
        "objects below the third level are replaced by a merge patch, not merged",
    )
    .breaks(&["REST-034", "REST-040"], &["rest-034-merge-patch"])
    .blamed(&["REST-034"])
    .around(act!(|server, request| {
        patch_otherwise(server, request, "merge-patch", |patch, object| replace_below(patch, object, 3)).await
    })),
    fault("merge-patches-keep-the-last-key", "a null in a merge patch does not delete the only key of an object")
        .breaks(&["REST-034", "REST-040"], &["rest-034-merge-patch"])
        .blamed(&["REST-034"])
        .around(act!(|server, request| { patch_otherwise(server, request, "merge-patch", keep_only_keys).await })),
    fault("strategic-patches-are-merge-patches", "a strategic merge patch of an object is a merge patch")
        .breaks(&["REST-032"], &["rest-029-refused-writes"])
        .requests(|request| {
            let is_patch = is_patch(request, "strategic-merge-patch");
            if is_patch {
                let merge = HeaderValue::from_static("application/merge-patch+json");
                request.headers_mut().insert(header::CONTENT_TYPE, merge);
            }
        }),
    fault("patches-may-be-plain-json", "a patch with the content type of JSON is a merge patch")
        .breaks(&["REST-032"], &["rest-029-refused-writes"])
        .requests(|request| {
            let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
            if is_json && *request.method() == Method::PATCH && is_object(request) {
                let merge = HeaderValue::from_static("application/merge-patch+json");
                request.headers_mut().insert(header::CONTENT_TYPE, merge);
            }
        }),
    fault("patches-overlook-a-null-revision", "a null as the resourceVersion of a patch is ignored")
        .breaks(&["REST-035"], &["rest-029-refused-writes"])
        .requests(|request| {
            if is_patch(request, "merge-patch") {
                with_body(request, |patch| {
                    if patch.pointer("/metadata/resourceVersion") == Some(&Value::Null)
                        && let Some(metadata) = patch["metadata"].as_object_mut()
                    {
                        metadata.remove("resourceVersion");
                    }
                });
            }
        }),
    fault("patches-overlook-the-kind", "another kind in a patch is ignored")
        .breaks(&["REST-035"], &["rest-029-refused-writes"])
        .requests(|request| {
            if is_patch(request, "merge-patch") {
                with_body(request, |patch| {
                    if let Some(fields) = patch.as_object_mut() {
                        fields.remove("kind");
                    }
                });
            }
        }),
];

/// Sends a patch of this type with a change that depends on the object that it is about.
async fn patch_otherwise(
    server: &Hooked,
    mut request: HttpRequest,
    kind: &str,
    change: fn(&mut Value, &Value),
) -> Result<Response<Bytes>, TransportError> {
    if is_patch(&request, kind) {
        let object = stored(server, &request).await?;
        with_body(&mut request, |patch| change(patch, &object));
    }
    server.server.send(request).await
}

/// Puts the elements that are there before those of the lists in a patch.
fn append(patch: &mut Value, there: &Value) {
    match (patch, there) {
        (Value::Object(patch), there) => {
            for (name, patch) in patch {
                append(patch, &there[name.as_str()]);
            }
        }
        (Value::Array(patch), Value::Array(there)) => {
            patch.splice(0..0, there.iter().cloned());
        }
        _ => {}
    }
}

/// Deletes the fields that are there and that the patch does not say, in objects this far down.
fn replace_below(patch: &mut Value, there: &Value, depth: usize) {
    let (Some(patch), Some(there)) = (patch.as_object_mut(), there.as_object()) else { return };
    for (name, patch) in patch.iter_mut() {
        replace_below(patch, there.get(name).unwrap_or(&Value::Null), depth.saturating_sub(1));
    }
    if depth == 0 {
        for name in there.keys() {
            patch.entry(name.clone()).or_insert(Value::Null);
        }
    }
}

/// Leaves out the nulls that would leave an object empty.
fn keep_only_keys(patch: &mut Value, there: &Value) {
    let (Some(patch), Some(there)) = (patch.as_object_mut(), there.as_object()) else { return };
    for (name, patch) in patch.iter_mut() {
        keep_only_keys(patch, there.get(name).unwrap_or(&Value::Null));
    }
    if there.len() == 1 {
        patch.retain(|name, value| !value.is_null() || !there.contains_key(name));
    }
}
