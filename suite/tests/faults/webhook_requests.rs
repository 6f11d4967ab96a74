//! Faults in what becomes of requests at a version that a conversion webhook serves.

use std::collections::BTreeSet;

use http::{HeaderValue, Method, header};
use serde_json::{Value, json};

use crate::{
    hooked::{events, has, is_list, is_object, is_watch, items, merge, read, with_events},
    server::{Answer, changed, error, replace_body},
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
        let Some((known, _)) = server.of(&request) else { return server.server.send(request).await };
        let (is_list, is_write) = (is_list(&request), *request.method() != Method::GET && !has(&request, "dryRun"));
        let group = request.uri().path().split('/').nth(2).unwrap_or_default().to_owned();
        let key = |object: &Value| format!("{group}/{}", object["metadata"]["name"]);
        let answered = server.server.send(request).await?;
        let body: Value = serde_json::from_slice(answered.body()).unwrap_or_default();
        let mut stored = server.stored_at.lock().unwrap();
        if is_write && answered.status().is_success() {
            stored.insert(key(&body), known.storage);
        }
        let of_first = items(&body).next().map(|first| stored.get(&key(first)).cloned());
        Ok(changed(answered, |answer| {
            for item in
                answer.body.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten().filter(|_| is_list)
            {
                if Some(stored.get(&key(item)).cloned()) != of_first {
                    item["spec"] = json!({});
                }
            }
        }))
    })),
    obvious_fault("lists-what-is-stored", "the objects of a list are as they are stored")
        .breaks(REQUESTS, &["conv-003-every-request", "inv-042-lossless-round-trip"])
        .within_lines(160)
        .around(act!(|server, request| {
            if is_list(&request) && server.is_elsewhere(&request) {
                return server.stored(&request).await;
            }
            server.server.send(request).await
        })),
    fault("patches-what-is-stored", "a patch at another version is applied to the object as it is stored")
        .breaks(REQUESTS, &["conv-003-every-request"])
        .around(act!(|server, request| {
            let is_empty = matches!(request.body().as_ref(), b"{}" | b"[]");
            let is_patch = *request.method() == Method::PATCH && is_object(&request) && !is_empty;
            if !is_patch || !server.is_elsewhere(&request) || server.is_broken(&request) {
                return server.server.send(request).await;
            }
            let patched = server.stored(&request).await?;
            if !patched.status().is_success() {
                return Ok(patched);
            }
            server.server.send(read(request.uri().path())).await
        })),
    fault("deletes-without-conversion", "a deletion at another version converts nothing")
        .breaks(&["CONV-003", "CONV-024", "INV-043"], &["conv-003-every-request", "inv-043-contained-failures"])
        .around(act!(|server, request| {
            if *request.method() == Method::DELETE && is_object(&request) && server.is_elsewhere(&request) {
                return server.stored(&request).await;
            }
            server.server.send(request).await
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
            server.server.send(request).await
        })),
    fault("reports-deleted-objects-as-stored", "a watch reports deleted objects as they were stored")
        .breaks(WATCHES, &["conv-003-watches"])
        .within_lines(220)
        .around(act!(|server, request| {
            if !is_watch(&request) || !server.is_elsewhere(&request) {
                return server.server.send(request).await;
            }
            let stored = server.stored(&request).await?;
            let stored = events(stored.body());
            let answered = server.server.send(request).await?;
            Ok(with_events(answered, |event| {
                let same = |other: &&Value| {
                    other["object"]["metadata"]["resourceVersion"] == event["object"]["metadata"]["resourceVersion"]
                };
                let is_deleted = event["type"] == "DELETED";
                if let Some(as_stored) = stored.iter().find(same).filter(|_| is_deleted) {
                    *event = as_stored.clone();
                }
                true
            }))
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
                let answered = server.server.send(request).await;
                server.end(&writing);
                return answered;
            }
            if !is_watch(&request) || !server.is_elsewhere(&request) {
                return server.server.send(request).await;
            }
            server.begin(&beginning);
            let begun = server.stored(&read(request.uri().path())).await;
            server.end(&beginning);
            server.until_over(&writing).await;
            let begun = begun?;
            let begun: Value = serde_json::from_slice(begun.body()).unwrap_or_default();
            let revision = |object: &Value| object["metadata"]["resourceVersion"].as_str()?.parse::<u64>().ok();
            let answered = server.server.send(request.clone()).await?;
            let stored = server.stored(&request).await?;
            let stored = events(stored.body());
            Ok(with_events(answered, |event| {
                let is_live = revision(&event["object"]) > revision(&begun);
                let same = |other: &&Value| revision(&other["object"]) == revision(&event["object"]);
                if let Some(as_stored) = stored.iter().find(same).filter(|_| is_live) {
                    *event = as_stored.clone();
                }
                true
            }))
        })),
    fault("loses-what-a-broken-webhook-missed", "watches never report what was written while the webhook was broken")
        .breaks(WATCHES, &["conv-023-recovery"])
        .around(act!(|server, request| {
            let is_missed = *request.method() != Method::GET && server.is_broken(&request);
            if is_watch(&request) && server.is_elsewhere(&request) {
                let answered = server.server.send(request).await?;
                let missed = server.missed.lock().unwrap();
                let is_known =
                    |event: &mut Value| !missed.contains(&event["object"]["metadata"]["resourceVersion"].to_string());
                return Ok(with_events(answered, is_known));
            }
            let answered = server.server.send(request).await?;
            let written: Value = serde_json::from_slice(answered.body()).unwrap_or_default();
            if is_missed {
                server.missed.lock().unwrap().insert(written["metadata"]["resourceVersion"].to_string());
            }
            Ok(answered)
        })),
    fault("dry-runs-without-conversion", "a dry run at another version converts nothing")
        .breaks(&["CONV-002", "CONV-003"], &["conv-003-every-request"])
        .around(act!(|server, request| {
            let is_tried = has(&request, "dryRun=All") && *request.method() == Method::POST;
            if is_tried && server.is_elsewhere(&request) {
                return server.stored(&request).await;
            }
            server.server.send(request).await
        })),
    fault("selects-by-stored-labels", "lists are selected by the labels that are stored")
        .breaks(&["CONV-003", "CONV-016"], &["conv-016-selectors"])
        .around(act!(|server, request| {
            if !is_list(&request) || !has(&request, "labelSelector") || !server.is_elsewhere(&request) {
                return server.server.send(request).await;
            }
            let selected = server.stored(&request).await?;
            let selected: Value = serde_json::from_slice(selected.body()).unwrap_or_default();
            let uids: BTreeSet<String> = items(&selected).map(|item| item["metadata"]["uid"].to_string()).collect();
            let mut all = request;
            *all.uri_mut() = all.uri().path().parse().unwrap_or_default();
            let answered = server.server.send(all).await?;
            Ok(changed(answered, |answer| {
                let listed = answer.body.get_mut("items").and_then(Value::as_array_mut);
                listed.into_iter().for_each(|listed| {
                    listed.retain(|item| uids.contains(&item["metadata"]["uid"].to_string()));
                });
            }))
        })),
    fault(
        "deletes-by-stored-labels",
        "the objects that a deletion of a collection selects are those with the labels as stored",
    )
    .breaks(&["CONV-003", "CONV-016"], &["conv-016-selectors"])
    .around(act!(|server, request| {
        let is_selecting = *request.method() == Method::DELETE && has(&request, "labelSelector");
        if is_selecting && server.is_elsewhere(&request) {
            return server.stored(&request).await;
        }
        server.server.send(request).await
    })),
    fault("selects-fields-as-stored", "selectable fields are looked for in the object as it is stored")
        .breaks(&["CONV-003"], &["conv-003-every-request"])
        .around(act!(|server, request| {
            let is_selecting = has(&request, "fieldSelector=spec") && server.is_elsewhere(&request);
            let answered = server.server.send(request).await?;
            if !is_selecting {
                return Ok(answered);
            }
            // The stored object has no such field.
            Ok(changed(answered, |answer| answer.body["items"] = json!([])))
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
        server.server.send(request).await
    })),
    fault("validates-after-conversion", "an invalid object is 500 and not 422 while the webhook is broken")
        .breaks(BROKEN, &["inv-043-contained-failures"])
        .around(act!(|server, request| {
            let is_create = *request.method() == Method::POST && server.is_elsewhere(&request);
            let fails = is_create && server.is_broken(&request);
            let answered = server.server.send(request).await?;
            Ok(if fails && answered.status() == 422 { error(500, "InternalError") } else { answered })
        })),
    fault("validates-updates-before-conversion", "an invalid update is 422 and not 500 while the webhook is broken")
        .breaks(&["CONV-021", "INV-043"], &["conv-021-stored-all-the-same"])
        .around(act!(|server, request| {
            let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let is_invalid = *request.method() == Method::PUT && body["spec"].is_string();
            let fails = is_invalid && server.is_broken(&request);
            let answered = server.server.send(request).await?;
            Ok(if fails && answered.status() == 500 { error(422, "Invalid") } else { answered })
        })),
    fault(
        "takes-back-what-it-cannot-show",
        "an object is removed again if only the answer to its creation cannot be converted",
    )
    .breaks(&["CONV-021"], &["conv-021-stored-all-the-same"])
    .around(act!(|server, request| {
        let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let name = body["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let is_create = *request.method() == Method::POST && server.is_elsewhere(&request);
        let mut removal = read(&format!("{}/{name}", request.uri().path()));
        *removal.method_mut() = Method::DELETE;
        let answered = server.server.send(request).await?;
        if is_create && answered.status() == 500 {
            let _ = server.stored(&removal).await?;
        }
        Ok(answered)
    })),
    fault("converts-before-it-looks", "a missing object is 500 and not 404 while the webhook is broken")
        .breaks(BROKEN, &["conv-021-stored-all-the-same", "inv-043-contained-failures"])
        .around(act!(|server, request| {
            let fails = is_object(&request) && server.is_elsewhere(&request) && server.is_broken(&request);
            let answered = server.server.send(request).await?;
            Ok(if fails && answered.status() == 404 { error(500, "InternalError") } else { answered })
        })),
    fault("fails-empty-lists", "an empty list is 500 while the webhook is broken")
        .breaks(BROKEN, &["conv-021-stored-all-the-same"])
        .around(act!(|server, request| {
            let fails = is_list(&request) && server.is_elsewhere(&request) && server.is_broken(&request);
            let answered = server.server.send(request).await?;
            let list: Value = serde_json::from_slice(answered.body()).unwrap_or_default();
            let is_empty = list["items"] == json!([]);
            Ok(if fails && is_empty { error(500, "InternalError") } else { answered })
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
            let is_put = *request.method() == Method::PUT && is_object(&request) && !has(&request, "dryRun");
            let path = request.uri().path().to_owned();
            let is_elsewhere = is_put && server.is_elsewhere(&request);
            let mut answered = server.server.send(request).await?;
            if is_elsewhere && answered.status().is_success() {
                for value in [json!("x"), Value::Null] {
                    let patch = json!({ "metadata": { "annotations": { "written": value } } });
                    answered = server.server.send(merge(&path, &patch)).await?;
                }
            }
            Ok(answered)
        })),
    fault("counts-lossy-writes", "a write that only loses fields in conversion is a new generation")
        .breaks(&["CONV-026", "INV-040", "INV-042", "VER-014", "VER-015"], &["conv-026-lossy"])
        .around(act!(|server, request| {
            let writes = [Method::PUT, Method::PATCH].contains(request.method()) && is_object(&request);
            if !writes || !server.is_elsewhere(&request) {
                return server.server.send(request).await;
            }
            let before = server.stored(&read(request.uri().path())).await?;
            let before: Value = serde_json::from_slice(before.body()).unwrap_or_default();
            let answered = server.server.send(request).await?;
            Ok(changed(answered, |answer| {
                let (then, now) = (&before["metadata"], &mut answer.body["metadata"]);
                let is_written = then["resourceVersion"] != now["resourceVersion"];
                if let Some(generation) =
                    now["generation"].as_i64().filter(|_| is_written && then["generation"] == now["generation"])
                {
                    now["generation"] = json!(generation + 1);
                }
            }))
        })),
    fault("validates-what-it-sends", "an object that is invalid at its stored version is not converted")
        .breaks(&["CONV-003", "CONV-010", "CONV-019", "CONV-020"], &["conv-010-unvalidated"])
        .around(act!(|server, request| {
            let is_read = *request.method() == Method::GET && is_object(&request) && server.is_elsewhere(&request);
            if is_read {
                let stored = server.stored(&request).await?;
                let mut copy: Value = serde_json::from_slice(stored.body()).unwrap_or_default();
                copy["metadata"] = json!({ "name": "copy" });
                let path = request.uri().path();
                let collection = path.rsplit_once('/').map_or(path, |(collection, _)| collection);
                let mut tried = read(&format!("{collection}?dryRun=All"));
                *tried.method_mut() = Method::POST;
                tried.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
                replace_body(&mut tried, &copy);
                if server.stored(&tried).await?.status() == 422 {
                    return Ok(error(500, "InternalError"));
                }
            }
            server.server.send(request).await
        })),
    obvious_fault("answers-503-for-failed-conversions", "a failed conversion is 503")
        .breaks(TAKES, &["inv-043-contained-failures", "inv-044-bad-answers"])
        .within_lines(150)
        .answers(|_, answer: &mut Answer| {
            let message = answer.body["message"].as_str().unwrap_or_default();
            if answer.head.status == 500 && message.contains("conversion webhook") {
                answer.head.status = http::StatusCode::SERVICE_UNAVAILABLE;
                answer.body["code"] = json!(503);
            }
        }),
];
