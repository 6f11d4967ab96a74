//! Faults in what a watch reports since a list.

use std::collections::BTreeMap;

use bytes::Bytes;
use crdible::connection::{HttpRequest, TransportError};
use http::{Method, Response, StatusCode};
use serde_json::{Value, json};

use super::{REPLAY, touch};
use crate::{
    json::parsed,
    layer::{Layered, events},
    sent::{is_object, is_watch, is_write, query_contains, set_parameter},
    server::error,
    table::{Fault, fault, obvious_fault},
};

const CAUGHT: &[&str] = &["inv-055-replay"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("reports-no-deletions", "a watch does not report that an object is deleted")
        .breaks(REPLAY, CAUGHT)
        .blamed(&["INV-055", "REST-061"])
        .events(|_, events| {
            events.retain(|event| event["type"] != "DELETED");
        }),
    obvious_fault("repeats-changes", "a watch reports each change of an object twice")
        .breaks(REPLAY, CAUGHT)
        .blamed(&["REST-063"])
        .events(|_, events| {
            let times = |event: &Value| if event["type"] == "MODIFIED" { 2 } else { 1 };
            *events = events.iter().flat_map(|event| vec![event.clone(); times(event)]).collect();
        }),
    fault("reports-status-writes-not-at-all", "a watch leaves out a change in which only the status differs")
        .breaks(REPLAY, CAUGHT)
        .blamed(&["INV-055", "REST-061"])
        .events(|_, events| {
            let mut last: BTreeMap<String, Value> = BTreeMap::new();
            events.retain_mut(|event| {
                let object = &event["object"];
                let finalizers = object["metadata"]["finalizers"].clone();
                let rest = json!([
                    object["spec"],
                    object["metadata"]["labels"],
                    finalizers,
                    object["metadata"]["deletionTimestamp"]
                ]);
                let before = last.insert(object["metadata"]["name"].to_string(), rest.clone());
                event["type"] != "MODIFIED" || before != Some(rest)
            });
        }),
    fault("deletes-terminating-objects-twice", "an object that becomes terminating is reported as deleted")
        .breaks(REPLAY, CAUGHT)
        .blamed(&["INV-055", "REST-060"])
        .events(|_, events| {
            for event in events {
                if event["object"]["metadata"]["deletionTimestamp"].is_string() {
                    event["type"] = json!("DELETED");
                }
            }
        }),
    fault("sorts-events-by-object", "a watch reports first everything about one object, then about the next")
        .breaks(REPLAY, CAUGHT)
        .blamed(&["REST-063"])
        .within_lines(80)
        .events(|_, events| events.sort_by_key(|event| event["object"]["metadata"]["name"].to_string())),
    fault("watches-at-the-first-version", "the objects of events are always of the version v1")
        .breaks(REPLAY, CAUGHT)
        .blamed(&["INV-055", "REST-060"])
        .events(|_, events| {
            for event in events {
                let version = event["object"]["apiVersion"].as_str().unwrap_or_default().replace("/v2", "/v1");
                event["object"]["apiVersion"] = json!(version);
            }
        }),
    fault("reports-dry-runs", "a dry run of a patch writes the object, though nothing that the client said")
        .breaks(REPLAY, CAUGHT)
        .blamed(&["INV-035", "REST-067"])
        .around(act!(|server, request| {
            let is_tried =
                *request.method() == Method::PATCH && is_object(&request) && query_contains(&request, "dryRun");
            let path = request.uri().path().to_owned();
            let answered = server.pass(request).await?;
            if is_tried && answered.status().is_success() {
                touch(server, &path).await?;
            }
            Ok(answered)
        })),
    fault(
        "reports-refusals",
        "a patch that is refused for what it says writes the object, though nothing that it said",
    )
    .breaks(REPLAY, CAUGHT)
    .blamed(&["INV-035", "REST-067"])
    .around(act!(|server, request| { touch_if_refused(server, request, StatusCode::UNPROCESSABLE_ENTITY).await })),
    fault(
        "reports-conflicts",
        "a patch that is refused for its resourceVersion writes the object, though nothing that it said",
    )
    .breaks(REPLAY, CAUGHT)
    .blamed(&["INV-035", "REST-067"])
    .around(act!(|server, request| { touch_if_refused(server, request, StatusCode::CONFLICT).await })),
    fault(
        "adds-finalizers-late",
        "a terminating object takes further finalizers, so that the last one does not end it",
    )
    .breaks(REPLAY, CAUGHT)
    .blamed(&["INV-074", "REST-046", "INV-035"])
    .within_lines(80)
    .answers(|asked, answer| {
        let is_refused = answer.head.status == StatusCode::UNPROCESSABLE_ENTITY;
        let is_about_finalizers = answer.body["details"]["causes"][0]["field"] == "metadata.finalizers";
        if asked.method == Method::PATCH && is_refused && is_about_finalizers {
            answer.succeed(json!({ "kind": "Thing", "apiVersion": "v1", "metadata": {} }));
        }
    }),
    fault(
        "forgets-what-a-change-made-old",
        "a watch from before a change of the definition begins after it, and says nothing",
    )
    .breaks(&["REST-065", "REST-067"], &["rest-065-changed-definitions"])
    .events(|_, events| {
        events.retain(|event| event["type"] != "ERROR");
    }),
    obvious_fault("fails-for-what-a-change-made-old", "a watch from before a change of the definition is 500")
        .breaks(&["REST-065", "REST-067"], &["rest-065-changed-definitions"])
        .around(act!(|server, request| {
            let watches = is_watch(&request);
            let answered = server.pass(request).await?;
            let is_gone = watches && events(answered.body()).iter().any(|event| event["type"] == "ERROR");
            Ok(if is_gone { error(500, "InternalError") } else { answered })
        })),
    fault("watches-single-objects", "GET of an object with watch=1 is refused")
        .breaks(&["REST-060/e1"], &["rest-064-refused-options"])
        .answers(|asked, answer| {
            if asked.uri.query().is_some_and(|query| query.starts_with("watch=")) && answer.body["kind"] == "Thing" {
                answer.fail(400, "BadRequest");
            }
        }),
    fault("watches-with-continue", "a watch ignores the parameter continue")
        .breaks(&["REST-061/e2"], &["rest-064-refused-options"])
        .requests(|request| {
            if is_watch(request) {
                set_parameter(request, "continue", None);
            }
        }),
    obvious_fault("streams-errors-of-selectors", "a watch with a selector that is none is a stream with an error")
        .breaks(&["REST-062/e1"], &["rest-064-refused-options"])
        .around(act!(|server, request| {
            let watches = is_watch(&request) && query_contains(&request, "elector=");
            let answered = server.pass(request).await?;
            if !watches || answered.status() != StatusCode::BAD_REQUEST {
                return Ok(answered);
            }
            let event = json!({ "type": "ERROR", "object": parsed(answered.body()) });
            Ok(Response::new(Bytes::from(format!("{event}\n"))))
        })),
];

/// Writes the object of a patch that is refused with this status.
async fn touch_if_refused(
    server: &Layered,
    request: HttpRequest,
    refusal: StatusCode,
) -> Result<Response<Bytes>, TransportError> {
    let (is_patch, path) = (is_write(&request, &Method::PATCH), request.uri().path().to_owned());
    let answered = server.pass(request).await?;
    if is_patch && answered.status() == refusal {
        touch(server, &path).await?;
    }
    Ok(answered)
}
