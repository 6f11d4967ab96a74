//! Faults that only an order of operations shows: each answer alone would be right at some time.

use std::time::Duration;

use http::Method;

use crate::{
    json::list,
    sent::{body_of, is_object, is_patch, is_write, query_contains},
    table::{Fault, fault},
};

/// How long a write takes.
const WRITE: Duration = Duration::from_millis(20);

pub(crate) const FAULTS: &[Fault] = &[
    fault("lists-lag-behind-a-patch", "the first list after a patch shows what the last list did")
        .breaks(&["REST-020", "REST-024", "REST-023", "INV-052", "INV-055"], &["rest-020-histories"])
        .blamed(&["REST-020"])
        .around(act!(|server, request| {
            let path = request.uri().to_string();
            let is_list = *request.method() == Method::GET && !is_object(&request) && !path.contains('?');
            if is_patch(&request, "merge-patch") {
                let collection = path.rsplit_once('/').map(|(collection, _)| collection).unwrap_or_default();
                server.note(&format!("late {collection}"), true);
            }
            server
                .answer(request, |answer| {
                    if is_list {
                        let before = server.note(&format!("list {path}"), answer.body.clone());
                        let is_late = server.forget(&format!("late {path}")).is_some();
                        if let Some(before) = before.filter(|_| is_late) {
                            answer.body = before;
                        }
                    }
                })
                .await
        })),
    fault(
        "deleted-objects-show-once-more",
        "the first read of an object after its deletion shows what the last one did",
    )
    .breaks(
        &[
            "REST-019", "REST-020", "REST-043", "INV-072", "INV-074", "REST-044", "REST-045", "REST-046", "REST-047",
            "LIFE-014",
        ],
        &["rest-020-histories"],
    )
    .blamed(&["REST-020"])
    .around(act!(|server, request| {
        let key = format!("read {}", request.uri().path());
        let is_read = *request.method() == Method::GET && is_object(&request);
        server
            .answer(request, |answer| {
                if is_read && answer.is_success() {
                    server.note(&key, answer.body.clone());
                } else if is_read
                    && answer.head.status == 404
                    && let Some(before) = server.forget(&key)
                {
                    answer.succeed(before);
                }
            })
            .await
    })),
    fault("reads-show-what-lost", "a read after a PUT in conflict shows once what that PUT said")
        .breaks(
            &["REST-019", "REST-020", "REST-029", "REST-042", "INV-070", "REST-030", "REST-028"],
            &["rest-020-histories"],
        )
        .blamed(&["REST-020"])
        .around(act!(|server, request| {
            let key = format!("lost {}", request.uri().path());
            let (is_put, spec) = (is_write(&request, &Method::PUT), body_of(&request)["spec"].take());
            let is_read = *request.method() == Method::GET && is_object(&request);
            server
                .answer(request, |answer| {
                    if is_put && answer.head.status == 409 {
                        server.note(&key, spec);
                    } else if is_read
                        && answer.is_success()
                        && let Some(lost) = server.forget(&key)
                    {
                        answer.body["spec"] = lost;
                    }
                })
                .await
        })),
    fault(
        "patches-beside-another-are-lost",
        "a merge patch that comes while another one is being stored is answered, and not stored",
    )
    .breaks(&["REST-020", "REST-035", "REST-042", "INV-071"], &["rest-020-histories", "rest-042-parallel-writes"])
    .blamed(&["REST-020", "INV-071"])
    .within_lines(120)
    .around(act!(|server, request| {
        if !is_patch(&request, "merge-patch") || query_contains(&request, "dryRun") {
            return server.pass(request).await;
        }
        let key = format!("busy {}", request.uri().path());
        if server.note(&key, true).is_some() {
            return server.try_out(request).await;
        }
        tokio::time::sleep(WRITE).await;
        let answered = server.pass(request).await;
        server.forget(&key);
        answered
    })),
    fault("lists-see-a-create-late", "the first list after a create does not show the object")
        .breaks(
            &["REST-020", "REST-001", "REST-022", "REST-023", "REST-024", "INV-052", "INV-055", "INV-054"],
            &["rest-020-histories"],
        )
        .blamed(&["REST-020"])
        .around(act!(|server, request| {
            let key = format!("new {}", request.uri().path());
            let is_list =
                *request.method() == Method::GET && !is_object(&request) && !query_contains(&request, "watch");
            let is_create = *request.method() == Method::POST && !query_contains(&request, "dryRun");
            server
                .answer(request, |answer| {
                    if is_create && answer.head.status == 201 {
                        server.note(&key, answer.body["metadata"]["uid"].clone());
                    } else if is_list
                        && let (Some(new), Some(items)) = (server.forget(&key), list(&mut answer.body, "/items"))
                    {
                        items.retain(|item| item["metadata"]["uid"] != new);
                    }
                })
                .await
        })),
];
