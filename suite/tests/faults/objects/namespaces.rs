//! Faults in which namespaces are not apart.

use http::Method;
use serde_json::{Value, json};

use crate::{
    json::text,
    sent::{body_of, is_list, is_object, is_watch, replace_path},
    server::error,
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
                let path = format!("{other}/{}", text(&body_of(&request), "/metadata/name"));
                if server.get(&path).await?.is_object() {
                    return Ok(error(409, "AlreadyExists"));
                }
            }
            server.pass(request).await
        })),
    fault("deletes-in-all-namespaces", "the deletion of a collection is about all namespaces")
        .breaks(APART, LISTS)
        .blamed(&["REST-022", "INV-054"])
        .within_lines(70)
        .around(act!(|server, request| {
            let is_of_all = *request.method() == Method::DELETE && !is_object(&request);
            if is_of_all && elsewhere(request.uri().path()).is_some() {
                let mut further = request.clone();
                replace_path(&mut further, elsewhere);
                server.pass(further).await?;
            }
            server.pass(request).await
        })),
    fault("patches-the-namesake", "a patch changes the object of that name in the first namespace that has one")
        .breaks(APART, LISTS)
        .blamed(&["REST-022", "INV-054"])
        .within_lines(70)
        .around(act!(|server, request| {
            let mut request = request;
            let path = request.uri().path();
            let namesake = elsewhere(path).filter(|_| *request.method() == Method::PATCH && path.contains(BOTH[1]));
            if let Some(namesake) = namesake
                && server.get(&namesake).await?.is_object()
            {
                replace_path(&mut request, elsewhere);
            }
            server.pass(request).await
        })),
    fault(
        "lists-by-the-beginning-of-a-namespace",
        "a list shows the namespaces whose names begin with that of its own",
    )
    .breaks(&["REST-022"], LISTS)
    .requests(|request| {
        if is_list(request) {
            replace_path(request, in_the_longer);
        }
    }),
    fault(
        "deletes-by-the-beginning-of-a-namespace",
        "the deletion of a collection is about namespaces that begin so, too",
    )
    .breaks(&["REST-022"], LISTS)
    .within_lines(70)
    .requests(|request| {
        if *request.method() == Method::DELETE && !is_object(request) {
            replace_path(request, in_the_longer);
        }
    }),
    fault("lists-of-missing-namespaces-fail", "a list of a namespace that does not exist is 404")
        .breaks(&["REST-022"], LISTS)
        .around(act!(|server, request| {
            if is_list(&request) && request.uri().path().contains("/namespaces/crdible-missing/") {
                return Ok(error(404, "NotFound"));
            }
            server.pass(request).await
        })),
    fault("creates-in-missing-namespaces-fail", "a create in a namespace that does not exist is 500")
        .breaks(&["REST-074"], LISTS)
        .answers(|asked, answer| {
            let is_missing = answer.head.status == 404 && answer.body["details"]["kind"] == "namespaces";
            if asked.method == Method::POST && is_missing {
                answer.fail(500, "InternalError");
            }
        }),
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
                let is_elsewhere = |object: &Value| object["metadata"]["namespace"] == BOTH[1];
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

/// The same path in the namespace whose name begins with that of its own.
fn in_the_longer(path: &str) -> Option<String> {
    path.contains("/namespaces/kube-publi/").then(|| path.replacen("/kube-publi/", "/kube-public/", 1))
}

/// The same path without a namespace.
pub(super) fn without_namespace(path: &str) -> Option<String> {
    let (before, after) = path.split_once("/namespaces/")?;
    Some(format!("{before}/{}", after.split_once('/')?.1))
}
