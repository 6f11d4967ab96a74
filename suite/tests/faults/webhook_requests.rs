//! Faults in what becomes of requests at a version that a conversion webhook serves.

use std::collections::BTreeSet;

use bytes::Bytes;
use http::{Method, Response};
use serde_json::{Value, json};

use crate::{
    json::{count_up, elements, items, list, parsed, text},
    layer::{events, with_events},
    sent::{body_of, create, is_list, is_object, is_update, is_watch, merge, query_contains, read, set_parameter},
    server::error,
    table::{Fault, fault, obvious_fault},
    webhooks::TAKES,
};

/// What is asserted of requests at other versions together.
const REQUESTS: &[&str] = &[
    "CONV-002", "CONV-003", "CONV-016", "CONV-020", "CONV-025", "CONV-026", "CONV-001", "CONV-028", "CONV-012",
    "CONV-018", "INV-031", "INV-040", "INV-042", "VER-014", "VER-015", "VER-016", "VER-017", "VER-019",
];

/// What is asserted of a broken webhook together.
const BROKEN: &[&str] = &["CONV-003", "CONV-012", "CONV-021", "CONV-022", "CONV-024", "INV-043", "INV-044", "CONV-018"];

/// What is asserted of watches together.
const WATCHES: &[&str] = &["CONV-003", "CONV-016", "CONV-023", "REST-060", "REST-061", "REST-063", "REST-067"];

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "converts-lists-like-their-first-object",
        "objects of a list that are stored in another version than the first one are not converted",
    )
    .breaks(
        &["CONV-003", "CONV-005", "INV-040", "INV-041", "INV-042", "VER-014", "VER-016", "VER-017"],
        &["inv-040-migration"],
    )
    .within_lines(220)
    .around(act!(|server, request| {
        let Some((known, _)) = server.of(&request) else { return server.pass(request).await };
        let (is_list, is_write) =
            (is_list(&request), *request.method() != Method::GET && !query_contains(&request, "dryRun"));
        let group = request.uri().path().split('/').nth(2).unwrap_or_default().to_owned();
        // The storage version at the latest write of each object.
        let stored = |object: &Value| format!("{group}/{}", object["metadata"]["name"]);
        server
            .answer(request, |answer| {
                if is_write && answer.is_success() {
                    server.note(&stored(&answer.body), known.storage);
                }
                let of_first = items(&answer.body).next().map(|first| server.noted(&stored(first)));
                for item in elements(&mut answer.body, "/items").filter(|_| is_list) {
                    if Some(server.noted(&stored(item))) != of_first {
                        item["spec"] = json!({});
                    }
                }
            })
            .await
    })),
    obvious_fault("lists-what-is-stored", "the objects of a list are as they are stored")
        .breaks(REQUESTS, &["conv-003-every-request", "inv-042-lossless-round-trip"])
        .within_lines(160)
        .around(act!(|server, request| {
            if is_list(&request) && server.is_elsewhere(&request) {
                return server.stored(&request).await;
            }
            server.pass(request).await
        })),
    fault("patches-what-is-stored", "a patch at another version is applied to the object as it is stored")
        .breaks(REQUESTS, &["conv-003-every-request"])
        .around(act!(|server, request| {
            let is_empty = matches!(request.body().as_ref(), b"{}" | b"[]");
            let is_patch = *request.method() == Method::PATCH && is_object(&request) && !is_empty;
            if !is_patch || !server.is_elsewhere(&request) || server.is_broken(&request) {
                return server.pass(request).await;
            }
            let patched = server.stored(&request).await?;
            if !patched.status().is_success() {
                return Ok(patched);
            }
            server.pass(read(request.uri().path())).await
        })),
    fault("deletes-without-conversion", "a deletion at another version converts nothing")
        .breaks(&["CONV-003", "CONV-024", "INV-043"], &["conv-003-every-request", "inv-043-contained-failures"])
        .around(act!(|server, request| {
            if *request.method() == Method::DELETE && is_object(&request) && server.is_elsewhere(&request) {
                return server.stored(&request).await;
            }
            server.pass(request).await
        })),
    obvious_fault("watches-what-is-stored", "a watch reports objects as they are stored")
        .breaks(WATCHES, &["conv-003-watches"])
        .around(act!(|server, request| {
            let is_elsewhere = server.is_elsewhere(&request);
            if is_elsewhere && is_watch(&request) {
                return server.stored(&request).await;
            }
            if is_elsewhere && is_list(&request) {
                // From here on there is a history.
                server.stored(&request).await?;
            }
            server.pass(request).await
        })),
    fault("reports-deleted-objects-as-stored", "a watch reports deleted objects as they were stored")
        .breaks(WATCHES, &["conv-003-watches"])
        .within_lines(220)
        .around(act!(|server, request| {
            if !is_watch(&request) || !server.is_elsewhere(&request) {
                return server.pass(request).await;
            }
            let stored = server.stored(&request).await?;
            let answered = server.pass(request).await?;
            Ok(show_as_stored(answered, &stored, |event| event["type"] == "DELETED"))
        })),
    fault("reports-live-events-as-stored", "what is written while a watch goes on is reported as it is stored")
        .breaks(WATCHES, &["conv-003-watches"])
        .around(act!(|server, request| {
            // A write that is sent at the same time is stored after the watch has begun, and before it is read.
            let group = request.uri().path().split('/').nth(2).unwrap_or_default();
            let [beginning, writing] = ["begins", "is written"].map(|what| format!("{group} {what}"));
            if *request.method() != Method::GET {
                server.begin(&writing);
                server.until_over(&beginning).await;
                let answered = server.pass(request).await;
                server.end(&writing);
                return answered;
            }
            if !is_watch(&request) || !server.is_elsewhere(&request) {
                return server.pass(request).await;
            }
            server.begin(&beginning);
            let begun = server.stored(&read(request.uri().path())).await;
            server.end(&beginning);
            server.until_over(&writing).await;
            let begun = parsed(begun?.body());
            let answered = server.pass(request.clone()).await?;
            let stored = server.stored(&request).await?;
            Ok(show_as_stored(answered, &stored, |event| revision(&event["object"]) > revision(&begun)))
        })),
    fault("loses-what-a-broken-webhook-missed", "watches never report what was written while the webhook was broken")
        .breaks(WATCHES, &["conv-023-recovery"])
        .around(act!(|server, request| {
            let is_missed = *request.method() != Method::GET && server.is_broken(&request);
            if is_watch(&request) && server.is_elsewhere(&request) {
                let is_known = |event: &Value| server.noted(text(event, "/object/metadata/resourceVersion")).is_none();
                return Ok(with_events(server.pass(request).await?, |events| events.retain(is_known)));
            }
            let answered = server.pass(request).await?;
            if is_missed {
                server.note(text(&parsed(answered.body()), "/metadata/resourceVersion"), true);
            }
            Ok(answered)
        })),
    fault("dry-runs-without-conversion", "a dry run at another version converts nothing")
        .breaks(&["CONV-002", "CONV-003"], &["conv-003-every-request"])
        .around(act!(|server, request| {
            let is_tried = query_contains(&request, "dryRun=All") && *request.method() == Method::POST;
            if is_tried && server.is_elsewhere(&request) {
                return server.stored(&request).await;
            }
            server.pass(request).await
        })),
    fault("selects-by-stored-labels", "lists are selected by the labels that are stored")
        .breaks(&["CONV-003", "CONV-016"], &["conv-016-selectors"])
        .around(act!(|server, request| {
            if !is_list(&request) || !query_contains(&request, "labelSelector") || !server.is_elsewhere(&request) {
                return server.pass(request).await;
            }
            let selected = parsed(server.stored(&request).await?.body());
            let uids: BTreeSet<String> = items(&selected).map(|item| item["metadata"]["uid"].to_string()).collect();
            let mut whole = request;
            set_parameter(&mut whole, "labelSelector", None);
            server
                .answer(whole, |answer| {
                    if let Some(items) = list(&mut answer.body, "/items") {
                        items.retain(|item| uids.contains(&item["metadata"]["uid"].to_string()));
                    }
                })
                .await
        })),
    fault(
        "deletes-by-stored-labels",
        "the objects that a deletion of a collection selects are those with the labels as stored",
    )
    .breaks(&["CONV-003", "CONV-016"], &["conv-016-selectors"])
    .around(act!(|server, request| {
        let is_selecting = *request.method() == Method::DELETE && query_contains(&request, "labelSelector");
        if is_selecting && server.is_elsewhere(&request) {
            return server.stored(&request).await;
        }
        server.pass(request).await
    })),
    fault("selects-fields-as-stored", "selectable fields are looked for in the object as it is stored")
        .breaks(&["CONV-003"], &["conv-003-every-request"])
        .around(act!(|server, request| {
            let is_selecting = query_contains(&request, "fieldSelector=spec") && server.is_elsewhere(&request);
            server
                .answer(request, |answer| {
                    // The stored object has no such field.
                    if is_selecting {
                        answer.body["items"] = json!([]);
                    }
                })
                .await
        })),
    obvious_fault(
        "fails-where-nothing-is-converted",
        "while a webhook is broken, objects cannot be read at the version in which they are stored",
    )
    .breaks(
        &["CONV-002", "CONV-006", "CONV-016", "CONV-021", "CONV-024", "INV-043", "INV-044"],
        &["conv-002-same-version", "inv-043-contained-failures"],
    )
    .around(act!(|server, request| {
        let is_read = *request.method() == Method::GET && is_object(&request);
        if is_read && !server.is_elsewhere(&request) && server.is_broken(&request) {
            return Ok(error(500, "InternalError"));
        }
        server.pass(request).await
    })),
    fault("validates-after-conversion", "an invalid object is 500 and not 422 while the webhook is broken")
        .breaks(BROKEN, &["inv-043-contained-failures"])
        .around(act!(|server, request| {
            let is_create = *request.method() == Method::POST && server.is_elsewhere(&request);
            let fails = is_create && server.is_broken(&request);
            server
                .answer(request, |answer| {
                    if fails && answer.head.status == 422 {
                        answer.fail(500, "InternalError");
                    }
                })
                .await
        })),
    fault("validates-updates-before-conversion", "an invalid update is 422 and not 500 while the webhook is broken")
        .breaks(&["CONV-021", "INV-043"], &["conv-021-stored-all-the-same"])
        .around(act!(|server, request| {
            let is_invalid = *request.method() == Method::PUT && body_of(&request)["spec"].is_string();
            let fails = is_invalid && server.is_broken(&request);
            server
                .answer(request, |answer| {
                    if fails && answer.head.status == 500 {
                        answer.fail(422, "Invalid");
                    }
                })
                .await
        })),
    fault(
        "takes-back-what-it-cannot-show",
        "an object is removed again if only the answer to its creation cannot be converted",
    )
    .breaks(&["CONV-021"], &["conv-021-stored-all-the-same"])
    .around(act!(|server, request| {
        let is_create = *request.method() == Method::POST && server.is_elsewhere(&request);
        let name = text(&body_of(&request), "/metadata/name").to_owned();
        let mut removal = read(&format!("{}/{name}", request.uri().path()));
        *removal.method_mut() = Method::DELETE;
        let answered = server.pass(request).await?;
        if is_create && answered.status() == 500 {
            let _ = server.stored(&removal).await?;
        }
        Ok(answered)
    })),
    fault("converts-before-it-looks", "a missing object is 500 and not 404 while the webhook is broken")
        .breaks(BROKEN, &["conv-021-stored-all-the-same", "inv-043-contained-failures"])
        .around(act!(|server, request| {
            let fails = is_object(&request) && server.is_elsewhere(&request) && server.is_broken(&request);
            server
                .answer(request, |answer| {
                    if fails && answer.head.status == 404 {
                        answer.fail(500, "InternalError");
                    }
                })
                .await
        })),
    fault("fails-empty-lists", "an empty list is 500 while the webhook is broken")
        .breaks(BROKEN, &["conv-021-stored-all-the-same"])
        .blamed(&["CONV-022"])
        .around(act!(|server, request| {
            let fails = is_list(&request) && server.is_elsewhere(&request) && server.is_broken(&request);
            server
                .answer(request, |answer| {
                    if fails && answer.body["items"] == json!([]) {
                        answer.fail(500, "InternalError");
                    }
                })
                .await
        })),
    fault("writes-what-did-not-change", "each PUT at another version is a write")
        .breaks(
            &[
                "CONV-003", "CONV-020", "CONV-026", "INV-042", "REST-067", "INV-031", "CONV-027", "REST-060",
                "REST-061", "REST-063",
            ],
            &["conv-026-new-each-time"],
        )
        .around(act!(|server, request| {
            let is_put = *request.method() == Method::PUT && is_object(&request) && !query_contains(&request, "dryRun");
            let path = request.uri().path().to_owned();
            let is_elsewhere = is_put && server.is_elsewhere(&request);
            let mut answered = server.pass(request).await?;
            if is_elsewhere && answered.status().is_success() {
                for value in [json!("x"), Value::Null] {
                    let patch = json!({ "metadata": { "annotations": { "written": value } } });
                    answered = server.pass(merge(&path, &patch)).await?;
                }
            }
            Ok(answered)
        })),
    fault("counts-lossy-writes", "a write that only loses fields in conversion is a new generation")
        .breaks(&["CONV-026", "INV-040", "INV-042", "VER-014", "VER-015"], &["conv-026-lossy"])
        .around(act!(|server, request| {
            if !is_update(&request) || !server.is_elsewhere(&request) {
                return server.pass(request).await;
            }
            let before = parsed(server.stored(&read(request.uri().path())).await?.body());
            server
                .answer(request, |answer| {
                    let (then, now) = (&before["metadata"], &answer.body["metadata"]);
                    let is_written = then["resourceVersion"] != now["resourceVersion"];
                    if is_written && then["generation"] == now["generation"] {
                        count_up(&mut answer.body);
                    }
                })
                .await
        })),
    fault("validates-what-it-sends", "an object that is invalid at its stored version is not converted")
        .breaks(&["CONV-003", "CONV-010", "CONV-019", "CONV-020"], &["conv-010-unvalidated"])
        .around(act!(|server, request| {
            let is_read = *request.method() == Method::GET && is_object(&request) && server.is_elsewhere(&request);
            if is_read {
                let mut copy = parsed(server.stored(&request).await?.body());
                copy["metadata"] = json!({ "name": "copy" });
                let path = request.uri().path();
                let collection = path.rsplit_once('/').map_or(path, |(collection, _)| collection);
                let tried = create(&format!("{collection}?dryRun=All"), &copy);
                if server.stored(&tried).await?.status() == 422 {
                    return Ok(error(500, "InternalError"));
                }
            }
            server.pass(request).await
        })),
    obvious_fault("answers-503-for-failed-conversions", "a failed conversion is 503")
        .breaks(TAKES, &["inv-043-contained-failures", "inv-044-bad-answers"])
        .within_lines(150)
        .answers(|_, answer| {
            let message = answer.body["message"].as_str().unwrap_or_default();
            if answer.head.status == 500 && message.contains("conversion webhook") {
                answer.head.status = http::StatusCode::SERVICE_UNAVAILABLE;
                answer.body["code"] = json!(503);
            }
        }),
];

/// The events of a watch, of which such are as in another watch.
fn show_as_stored(
    answered: Response<Bytes>,
    stored: &Response<Bytes>,
    is_meant: impl Fn(&Value) -> bool,
) -> Response<Bytes> {
    let stored = events(stored.body());
    with_events(answered, |events| {
        for event in events.iter_mut().filter(|event| is_meant(event)) {
            let same = |other: &&Value| revision(&other["object"]) == revision(&event["object"]);
            if let Some(as_stored) = stored.iter().find(same) {
                event.clone_from(as_stored);
            }
        }
    })
}

fn revision(object: &Value) -> Option<u64> {
    object["metadata"]["resourceVersion"].as_str()?.parse().ok()
}
