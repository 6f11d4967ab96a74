//! Faults in which namespaces are not apart.

use http::Method;
use serde_json::json;

use super::{answer, body_in, body_of, routes::replace_path};
use crate::{
    hooked::{is_list, is_object, is_watch, read},
    table::{Fault, fault, obvious_fault},
};

const LISTS: &[&str] = &["rest-022-namespaces"];
const WATCHES: &[&str] = &["rest-060-namespaces"];
const APART: &[&str] = &["REST-001", "REST-022", "INV-054"];
/// The namespaces that a scenario has.
const BOTH: [&str; 2] = ["default", "kube-public"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("lists-of-a-namespace-show-all", "a list of a namespace shows the objects of all")
        .breaks(APART, LISTS)
        .blamed(&["REST-022", "INV-054"])
        .requests(|request| {
            if is_list(request) {
                replace_path(request, without_namespace);
            }
        }),
    fault("names-are-unique-among-namespaces", "a name that an object of another namespace has is taken")
        .breaks(APART, LISTS)
        .blamed(&["REST-022", "INV-054"])
        .around(act!(|server, request| {
            if *request.method() == Method::POST
                && let Some(other) = elsewhere(request.uri().path())
            {
                let name = body_of(&request)["metadata"]["name"].as_str().unwrap_or_default().to_owned();
                let taken = server.server.send(read(&format!("{other}/{name}"))).await?;
                if taken.status().is_success() {
                    let status =
                        json!({ "kind": "Status", "status": "Failure", "reason": "AlreadyExists", "code": 409 });
                    return Ok(answer(409, &status));
                }
            }
            server.server.send(request).await
        })),
    fault("deletes-in-all-namespaces", "the deletion of a collection is about all namespaces")
        .breaks(APART, LISTS)
        .blamed(&["REST-022", "INV-054"])
        .within_lines(70)
        .around(act!(|server, request| {
            let other = elsewhere(request.uri().path()).filter(|_| *request.method() == Method::DELETE);
            if let Some(other) = other.filter(|_| !is_object(&request)) {
                let mut further = request.clone();
                replace_path(&mut further, |_| Some(other.clone()));
                server.server.send(further).await?;
            }
            server.server.send(request).await
        })),
    fault("patches-the-namesake", "a patch changes the object of that name in the first namespace that has one")
        .breaks(APART, LISTS)
        .blamed(&["REST-022", "INV-054"])
        .within_lines(70)
        .around(act!(|server, request| {
            let path = request.uri().path().to_owned();
            let namesake = elsewhere(&path).filter(|_| *request.method() == Method::PATCH && path.contains(BOTH[1]));
            if let Some(namesake) = namesake {
                let found = server.server.send(read(&namesake)).await?;
                if found.status().is_success() {
                    let mut led_astray = request.clone();
                    replace_path(&mut led_astray, |_| Some(namesake.clone()));
                    return server.server.send(led_astray).await;
                }
            }
            server.server.send(request).await
        })),
    fault("lists-of-missing-namespaces-fail", "a list of a namespace that does not exist is 404")
        .breaks(&["REST-022"], LISTS)
        .around(act!(|server, request| {
            let is_missing = is_list(&request) && request.uri().path().contains("/namespaces/crdible-missing/");
            let answered = server.server.send(request).await?;
            if is_missing {
                let status = json!({ "kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404 });
                return Ok(answer(404, &status));
            }
            Ok(answered)
        })),
    fault("creates-in-missing-namespaces-fail", "a create in a namespace that does not exist is 500")
        .breaks(&["REST-074"], LISTS)
        .around(act!(|server, request| {
            let is_create = *request.method() == Method::POST;
            let answered = server.server.send(request).await?;
            if is_create && answered.status() == 404 && body_in(&answered)["details"]["kind"] == "namespaces" {
                let status = json!({ "kind": "Status", "status": "Failure", "reason": "InternalError", "code": 500 });
                return Ok(answer(500, &status));
            }
            Ok(answered)
        })),
    obvious_fault("watches-of-a-namespace-report-all", "a watch of a namespace reports what happens in all")
        .breaks(&["REST-060", "INV-055"], WATCHES)
        .requests(|request| {
            if is_watch(request) {
                replace_path(request, without_namespace);
            }
        }),
    fault("watches-of-all-report-one-namespace", "a watch of all namespaces reports what happens in one of them")
        .breaks(&["REST-060", "INV-055"], WATCHES)
        .blamed(&["REST-060"])
        .events(|request, events| {
            if !request.uri().path().contains("/namespaces/") {
                events.retain(|event| event["object"]["metadata"]["namespace"] != BOTH[1]);
            }
        }),
    fault("events-name-the-first-namespace", "the objects of all events are in the first namespace")
        .breaks(&["REST-060"], WATCHES)
        .events(|_, events| {
            for event in events {
                if event["object"]["metadata"]["namespace"] == BOTH[1] {
                    event["object"]["metadata"]["namespace"] = json!(BOTH[0]);
                }
            }
        }),
    fault("deletions-elsewhere-are-not-reported", "a watch of all namespaces reports deletions in one of them only")
        .breaks(&["REST-060", "INV-055"], WATCHES)
        .blamed(&["REST-060"])
        .events(|request, events| {
            if !request.uri().path().contains("/namespaces/") {
                let is_elsewhere = |object: &serde_json::Value| object["metadata"]["namespace"] == BOTH[1];
                events.retain(|event| event["type"] != "DELETED" || !is_elsewhere(&event["object"]));
            }
        }),
];

/// The same path in the other namespace of a scenario.
fn elsewhere(path: &str) -> Option<String> {
    let [own, other] = BOTH.map(|namespace| format!("/namespaces/{namespace}/"));
    let at = |from: &str, to: &str| path.contains(from).then(|| path.replacen(from, to, 1));
    at(&own, &other).or_else(|| at(&other, &own))
}

/// The same path without a namespace.
fn without_namespace(path: &str) -> Option<String> {
    let (before, after) = path.split_once("/namespaces/")?;
    Some(format!("{before}/{}", after.split_once('/')?.1))
}
