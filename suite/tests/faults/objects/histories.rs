//! Faults that only an order of operations shows: each answer alone would be right at some time.

use std::time::Duration;

use bytes::Bytes;
use http::{Method, Response};
use serde_json::Value;

use super::{body_in, body_of, is_patch, is_write};
use crate::{
    hooked::{Hooked, has, is_object},
    server::set_parameter,
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
                note(server, &format!("late {collection}"), Some("yes"));
            }
            let answered = server.server.send(request).await?;
            if !is_list {
                return Ok(answered);
            }
            let text = String::from_utf8_lossy(answered.body()).into_owned();
            let before = note(server, &format!("list {path}"), Some(&text));
            let is_late = note(server, &format!("late {path}"), None).is_some();
            Ok(match before {
                Some(before) if is_late => answered.map(|_| Bytes::from(before)),
                _ => answered,
            })
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
        let path = request.uri().path().to_owned();
        let is_read = *request.method() == Method::GET && is_object(&request);
        let answered = server.server.send(request).await?;
        let key = format!("read {path}");
        if is_read && answered.status().is_success() {
            note(server, &key, Some(&String::from_utf8_lossy(answered.body())));
        }
        let before = if is_read && answered.status() == 404 { note(server, &key, None) } else { None };
        Ok(before.map_or(answered, |before| Response::new(Bytes::from(before))))
    })),
    fault("reads-show-what-lost", "a read after a PUT in conflict shows once what that PUT said")
        .breaks(
            &["REST-019", "REST-020", "REST-029", "REST-042", "INV-070", "REST-030", "REST-028"],
            &["rest-020-histories"],
        )
        .blamed(&["REST-020"])
        .around(act!(|server, request| {
            let key = format!("lost {}", request.uri().path());
            let (is_put, body) = (is_write(&request, &Method::PUT), body_of(&request));
            let is_read = *request.method() == Method::GET && is_object(&request);
            let answered = server.server.send(request).await?;
            if is_put && answered.status() == 409 {
                note(server, &key, Some(&body["spec"].to_string()));
            }
            let lost = if is_read && answered.status().is_success() { note(server, &key, None) } else { None };
            let Some(spec) = lost.and_then(|spec| serde_json::from_str::<Value>(&spec).ok()) else {
                return Ok(answered);
            };
            let mut shown = body_in(&answered);
            shown["spec"] = spec;
            Ok(answered.map(|_| Bytes::from(shown.to_string())))
        })),
    fault(
        "patches-beside-another-are-lost",
        "a merge patch that comes while another one is being stored is answered, and not stored",
    )
    .breaks(&["REST-020", "REST-035", "REST-042", "INV-071"], &["rest-020-histories", "rest-042-parallel-writes"])
    .blamed(&["REST-020", "INV-071"])
    .within_lines(120)
    .around(act!(|server, request| {
        if !is_patch(&request, "merge-patch") || has(&request, "dryRun") {
            return server.server.send(request).await;
        }
        let key = format!("busy {}", request.uri().path());
        if note(server, &key, Some("yes")).is_some() {
            let mut tried = request;
            set_parameter(&mut tried, "dryRun", Some("All"));
            return server.server.send(tried).await;
        }
        tokio::time::sleep(WRITE).await;
        let answered = server.server.send(request).await;
        note(server, &key, None);
        answered
    })),
    fault("lists-see-a-create-late", "the first list after a create does not show the object")
        .breaks(
            &["REST-020", "REST-001", "REST-022", "REST-023", "REST-024", "INV-052", "INV-055", "INV-054"],
            &["rest-020-histories"],
        )
        .blamed(&["REST-020"])
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let is_list = *request.method() == Method::GET && !is_object(&request) && !has(&request, "watch");
            let is_create = *request.method() == Method::POST && !has(&request, "dryRun");
            let answered = server.server.send(request).await?;
            let mut shown = body_in(&answered);
            let key = format!("new {path}");
            if is_create && answered.status() == 201 {
                note(server, &key, shown["metadata"]["uid"].as_str());
            }
            let Some(new) = note_if(server, &key, is_list) else { return Ok(answered) };
            if let Some(items) = shown["items"].as_array_mut() {
                items.retain(|item| item["metadata"]["uid"] != *new);
            }
            Ok(answered.map(|_| Bytes::from(shown.to_string())))
        })),
];

/// Remembers a text under a key, or forgets it. Returns what was remembered before.
fn note(server: &Hooked, key: &str, text: Option<&str>) -> Option<String> {
    let mut notes = server.stored_at.lock().unwrap();
    match text {
        Some(text) => notes.insert(key.to_owned(), text.to_owned()),
        None => notes.remove(key),
    }
}

/// Takes what was remembered, if this is the time.
fn note_if(server: &Hooked, key: &str, is_time: bool) -> Option<String> {
    if is_time { note(server, key, None) } else { None }
}
