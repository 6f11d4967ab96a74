//! Faults in patches of objects.

use crdible::connection::HttpRequest;
use http::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::{
    sent::{MERGE_PATCH, body_of, header_of, is_object, is_patch, send_without, set_type, with_body},
    table::{Fault, fault, obvious_fault},
};

/// What the operations of a JSON patch do to a document.
const OPERATIONS: &[&str] = &["REST-033", "INV-064"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("patches-answer-202", "a patch is answered with 202")
        .breaks(&["REST-035"], &["rest-040-writes"])
        .answers(|asked, answer| {
            if asked.method == Method::PATCH && answer.is_success() {
                answer.head.status = StatusCode::ACCEPTED;
            }
        }),
    fault("patches-add-a-namespace", "the answer to a patch of a cluster-scoped object has the namespace null")
        .breaks(&["REST-034"], &["rest-034-merge-patch"])
        .answers(|asked, answer| {
            if asked.method == Method::PATCH
                && answer.is_success()
                && let Some(metadata) = answer.body.get_mut("metadata").and_then(Value::as_object_mut)
            {
                metadata.entry("namespace").or_insert(Value::Null);
            }
        }),
    fault("defaults-come-back-within-a-patch", "a default that an operation removes is there for the next one")
        .breaks(OPERATIONS, &["rest-033-json-patch"])
        .requests(|request| {
            with_operations(request, |operations| {
                let is_removal = |operation: &Value| operation["op"] == "remove" && operation["path"] == "/spec/g";
                if let (Some(at), true) = (operations.iter().position(is_removal), operations.len() > 1) {
                    operations.insert(at + 1, json!({ "op": "add", "path": "/spec/g", "value": 7 }));
                }
            });
        }),
    fault("patches-are-pruned-within", "an unknown field that an operation adds is not there for the next one")
        .breaks(OPERATIONS, &["rest-033-json-patch"])
        .requests(|request| {
            with_operations(request, |operations| {
                if operations.len() > 1 {
                    operations.retain(|operation| operation["path"] != "/u");
                }
            });
        }),
    fault("json-patches-apply-what-they-can", "of a JSON patch whose last operation fails the others are applied")
        .breaks(&["REST-033"], &["rest-033-json-patch"])
        .around(act!(|server, request| {
            let mut shorter = request.clone();
            let answered = server.pass(request).await?;
            if is_patch(&shorter, "json-patch") && answered.status() == 422 {
                with_operations(&mut shorter, |operations| drop(operations.pop()));
                server.pass(shorter).await?;
            }
            Ok(answered)
        })),
    fault("json-patches-replace-elements", "`add` of an element that exists replaces it")
        .breaks(OPERATIONS, &["rest-033-json-patch"])
        .blamed(&["REST-033"])
        .bodies(
            |request| is_patch(request, "json-patch"),
            |operations, object| {
                if let Some(operation) = operations.get_mut(0)
                    && operation["op"] == "add"
                    && let Some((list, at)) = operation["path"].as_str().and_then(|path| path.rsplit_once('/'))
                    && let Some(elements) = object.pointer(list).and_then(Value::as_array)
                    && at.parse::<usize>().is_ok_and(|at| at < elements.len())
                {
                    operation["op"] = json!("replace");
                }
            },
        ),
    fault("json-patches-unescape-twice", "`~01` in a path of a JSON patch is read as `/`")
        .breaks(OPERATIONS, &["rest-033-json-patch"])
        .blamed(&["REST-033"])
        .requests(|request| {
            with_operations(request, |operations| {
                for operation in operations {
                    for field in ["path", "from"] {
                        if let Some(path) = operation.get(field).and_then(Value::as_str) {
                            operation[field] = json!(path.replace("~01", "~1"));
                        }
                    }
                }
            });
        }),
    fault("json-patches-copy-what-they-move", "`move` leaves the value where it was")
        .breaks(OPERATIONS, &["rest-033-json-patch"])
        .requests(|request| {
            with_operations(request, |operations| {
                for operation in operations {
                    if operation["op"] == "move" && operation["from"] != "/spec/missing" {
                        operation["op"] = json!("copy");
                    }
                }
            });
        }),
    fault("json-patches-test-nothing", "`test` of a JSON patch always holds")
        .breaks(&["REST-033"], &["rest-033-json-patch"])
        .requests(|request| {
            with_operations(request, |operations| operations.retain(|operation| operation["op"] != "test"));
        }),
    obvious_fault("merge-patches-append-to-lists", "a list in a merge patch is appended to the one that is there")
        .breaks(
            &["REST-034", "REST-040", "REST-028", "INV-063"],
            &["rest-034-merge-patch", "rest-040-writes", "inv-063-ways-to-write"],
        )
        .blamed(&["REST-034", "INV-063"])
        .within_lines(120)
        .bodies(is_merge_patch, append),
    fault(
        "merge-patches-replace-deep-objects",
        "objects below the third level are replaced by a merge patch, not merged",
    )
    .breaks(&["REST-034", "REST-040"], &["rest-034-merge-patch"])
    .blamed(&["REST-034"])
    .bodies(is_merge_patch, |patch, object| replace_below(patch, object, 3)),
    fault("merge-patches-keep-the-last-key", "a null in a merge patch does not delete the only key of an object")
        .breaks(&["REST-034", "REST-040"], &["rest-034-merge-patch"])
        .blamed(&["REST-034"])
        .bodies(is_merge_patch, keep_only_keys),
    fault("strategic-patches-are-merge-patches", "a strategic merge patch of an object is a merge patch")
        .breaks(&["REST-032"], &["rest-029-refused-writes"])
        .requests(|request| {
            if is_patch(request, "strategic-merge-patch") {
                set_type(request, MERGE_PATCH);
            }
        }),
    fault("patches-may-be-plain-json", "a patch with the content type of JSON is a merge patch")
        .breaks(&["REST-032"], &["rest-029-refused-writes"])
        .requests(|request| {
            let is_json = header_of(request, &header::CONTENT_TYPE) == "application/json";
            if is_json && *request.method() == Method::PATCH && is_object(request) {
                set_type(request, MERGE_PATCH);
            }
        }),
    fault("patches-overlook-a-null-revision", "a null as the resourceVersion of a patch is ignored")
        .breaks(&["REST-035"], &["rest-029-refused-writes"])
        .requests(|request| {
            let revision = body_of(request).pointer("/metadata/resourceVersion").cloned();
            if is_merge_patch(request) && revision == Some(Value::Null) {
                send_without(request, "/metadata/resourceVersion");
            }
        }),
    fault("patches-overlook-the-kind", "another kind in a patch is ignored")
        .breaks(&["REST-035"], &["rest-029-refused-writes"])
        .requests(|request| {
            if is_merge_patch(request) {
                send_without(request, "/kind");
            }
        }),
];

fn is_merge_patch(request: &HttpRequest) -> bool {
    is_patch(request, "merge-patch")
}

/// Changes the operations of a JSON patch.
fn with_operations(request: &mut HttpRequest, change: impl FnOnce(&mut Vec<Value>)) {
    if is_patch(request, "json-patch") {
        with_body(request, |patch| {
            if let Some(operations) = patch.as_array_mut() {
                change(operations);
            }
        });
    }
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
