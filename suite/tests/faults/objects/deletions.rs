//! Faults in deletions.

use bytes::Bytes;
use crdible::connection::HttpRequest;
use http::Method;
use serde_json::{Value, json};

use crate::{
    json::{list, remove, text},
    sent::{
        body_of, is_about_definitions, is_object, is_write, merge, merge_instead, query_contains, send_without,
        set_parameter, with_body,
    },
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
                server.pass(merge(request.uri().path(), &patch)).await?;
            }
            server.pass(request).await
        })),
    obvious_fault(
        "deletions-show-no-time",
        "the answer to a deletion shows no deletionTimestamp, though the object has it",
    )
    .breaks(&["REST-044"], &["rest-044-deletion", "sub-013-during-deletion"])
    .answers(|asked, answer| {
        if asked.method == Method::DELETE && answer.is_success() {
            remove(&mut answer.body, "/metadata/deletionTimestamp");
        }
    }),
    fault("any-propagation-policy-is-known", "a propagationPolicy that is unknown or contradicted is ignored")
        .breaks(&["REST-048"], &["rest-044-deletion"])
        .within_lines(80)
        .requests(|request| {
            let options = body_of(request);
            let policy = text(&options, "/propagationPolicy");
            let is_known = ["", "Background", "Foreground", "Orphan"].contains(&policy);
            if !policy.is_empty() && (!is_known || !options["orphanDependents"].is_null()) {
                send_without(request, "/propagationPolicy");
                send_without(request, "/orphanDependents");
            }
        }),
    fault("second-deletions-are-writes", "a second deletion of an object with finalizers is a write")
        .breaks(&["REST-044"], &["rest-044-deletion"])
        .around(act!(|server, request| {
            if is_write(&request, &Method::DELETE) && is_terminating(&server.object(&request).await?) {
                let patch = json!({ "metadata": { "annotations": { "deleted": "again" } } });
                server.pass(merge(request.uri().path(), &patch)).await?;
            }
            server.pass(request).await
        })),
    fault("deletions-do-not-count", "the deletion of an object with finalizers is not counted in its generation")
        .breaks(&["REST-044"], &["rest-044-deletion"])
        .results(
            |request| is_write(request, &Method::DELETE),
            |before, after| {
                if !is_terminating(before) && is_terminating(after) {
                    after["metadata"]["generation"] = before["metadata"]["generation"].clone();
                }
            },
        ),
    fault(
        "new-finalizers-are-dropped",
        "a new finalizer of an object that is being deleted is left out and not refused",
    )
    .breaks(&["REST-045", "INV-074"], &["rest-044-deletion"])
    .requests(|request| {
        if is_object(request) {
            with_body(request, |body| {
                if let Some(finalizers) = list(body, "/metadata/finalizers") {
                    finalizers.retain(|finalizer| finalizer != "example.com/new");
                }
            });
        }
    }),
    fault("updates-drop-the-deletion-time", "an update that leaves out the deletionTimestamp shows none")
        .breaks(&["REST-031", "REST-045"], &["rest-044-deletion"])
        .answers(|asked, answer| {
            if asked.method == Method::PUT && asked.body.is_object() && !is_terminating(&asked.body) {
                remove(&mut answer.body, "/metadata/deletionTimestamp");
            }
        }),
    fault("last-finalizers-stay", "an object stays when its last finalizer is removed by a PUT")
        .breaks(&["REST-046", "INV-074"], &["rest-044-deletion"])
        .requests(|request| {
            if ends_an_object(request) {
                set_parameter(request, "dryRun", Some("All"));
            }
        }),
    fault("invalid-ends-are-ends", "the write that removes the last finalizer is not validated")
        .breaks(&["REST-046"], &["rest-044-deletion"])
        .requests(|request| {
            if ends_an_object(request) {
                *request = merge_instead(request, &json!({ "metadata": { "finalizers": null } }));
            }
        }),
    fault("uids-depend-on-names", "a new object has the uid of the one that had its name before")
        .breaks(&["REST-043", "INV-072", "REST-044"], &["rest-044-deletion"])
        .blamed(&["REST-043", "INV-072"])
        .around(act!(|server, request| {
            if !is_object(&request) && *request.method() != Method::POST {
                return server.pass(request).await;
            }
            let mut request = request;
            if *request.method() == Method::PUT {
                send_without(&mut request, "/metadata/uid");
            }
            server
                .answer(request, |answer| {
                    let of = if answer.body["kind"] == "Status" { "details" } else { "metadata" };
                    let name = text(&answer.body, &format!("/{of}/name"));
                    let uid = json!(format!("uid-of-{name}"));
                    if answer.is_success() && answer.body[of].get("uid").is_some() {
                        answer.body[of]["uid"] = uid;
                    }
                })
                .await
        })),
    fault("deletions-overlook-the-revision", "a deletion does not compare the resourceVersion of its preconditions")
        .breaks(&["REST-047"], &["rest-044-deletion"])
        .requests(|request| {
            if *request.method() == Method::DELETE && !is_about_definitions(request) {
                send_without(request, "/preconditions/resourceVersion");
            }
        }),
    fault("deletions-of-nothing-succeed", "the deletion of an object that does not exist succeeds")
        .breaks(&["REST-049"], &["rest-044-deletion"])
        .answers(|asked, answer| {
            if asked.method == Method::DELETE && answer.head.status == 404 {
                answer.succeed(json!({ "kind": "Status", "apiVersion": "v1", "status": "Success", "metadata": {} }));
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
            server
                .answer(request, |answer| {
                    if is_deletion && answer.head.status == 400 {
                        answer.fail(500, "InternalError");
                    }
                })
                .await
        })),
    obvious_fault("collections-delete-everything", "the deletion of a collection ignores its selector")
        .breaks(SELECTED_OR_WATCHED, &["rest-023-label-selectors"])
        .blamed(&["INV-075", "REST-068"])
        .requests(|request| {
            if *request.method() == Method::DELETE && query_contains(request, "labelSelector") {
                set_parameter(request, "labelSelector", None);
            }
        }),
    fault(
        "collections-list-what-is-gone",
        "the answer to the deletion of a collection leaves out objects with finalizers",
    )
    .breaks(SELECTED, &["rest-023-label-selectors"])
    .blamed(&["INV-075", "REST-068"])
    .answers(|asked, answer| {
        if asked.method == Method::DELETE
            && let Some(items) = list(&mut answer.body, "/items")
        {
            items.retain(|item| item.pointer("/metadata/finalizers").is_none());
        }
    }),
];

/// What the deletion of a selection breaks.
const SELECTED: &[&str] = &["REST-023", "REST-068", "INV-053", "INV-075"];
/// Beside a fault that hides what lists lack, watches show it.
const SELECTED_OR_WATCHED: &[&str] = &["REST-023", "REST-068", "INV-053", "INV-075", "REST-061", "REST-064"];

/// Whether an object is being deleted.
fn is_terminating(object: &Value) -> bool {
    object.pointer("/metadata/deletionTimestamp").is_some()
}

/// Whether it is a PUT that removes the last finalizer of an object that is being deleted.
fn ends_an_object(request: &HttpRequest) -> bool {
    let body = body_of(request);
    let finalizers = body.pointer("/metadata/finalizers").and_then(Value::as_array);
    let is_put = is_write(request, &Method::PUT) && !is_about_definitions(request);
    is_put && finalizers.is_some_and(Vec::is_empty) && is_terminating(&body)
}
