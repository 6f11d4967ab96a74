//! Faults in what becomes of writes of one object that are sent together.

use bytes::Bytes;
use crdible::connection::{HttpRequest, TransportError};
use http::{Method, Response};
use serde_json::{Value, json};

use crate::{
    layer::Layered,
    sent::{is_object, merge, query_contains, with_body},
    table::{Fault, fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "writes-labels-as-they-were-read",
        "a patch that changes nothing takes back labels that were written meanwhile",
    )
    .breaks(&["INV-040"], &["inv-040-migration"])
    .around(act!(|server, request| {
        if !is_empty(&request) {
            return send_between(server, request).await;
        }
        let path = request.uri().path().to_owned();
        let before = read_before(server, &path).await?;
        // Those that came since are taken back.
        let labels = match &before["metadata"]["labels"] {
            Value::Null => json!({ "written": null }),
            labels => labels.clone(),
        };
        server.pass(merge(&path, &json!({ "metadata": { "labels": labels } }))).await
    })),
    fault(
        "patches-once",
        "a patch that changes nothing is 409 if another client wrote the object since it was read, and is not \
         tried again",
    )
    .breaks(&["INV-040"], &["inv-040-migration"])
    .around(act!(|server, request| {
        if !is_empty(&request) {
            return send_between(server, request).await;
        }
        let before = read_before(server, request.uri().path()).await?;
        let mut request = request;
        with_body(&mut request, |patch| {
            patch["metadata"]["resourceVersion"] = before["metadata"]["resourceVersion"].clone();
        });
        server.pass(request).await
    })),
];

/// What a write reads before it stores something. A write of the same object that is sent together with it gets
/// in between.
async fn read_before(server: &Layered, path: &str) -> Result<Value, TransportError> {
    let (reading, writing) = ends(path);
    server.begin(&reading);
    let before = server.get(path).await;
    server.end(&reading);
    server.until_over(&writing).await;
    before
}

/// Sends a write between what another one reads and what that one stores; or something else.
async fn send_between(server: &Layered, request: HttpRequest) -> Result<Response<Bytes>, TransportError> {
    if *request.method() != Method::PATCH || !is_object(&request) {
        return server.pass(request).await;
    }
    let (reading, writing) = ends(request.uri().path());
    server.begin(&writing);
    server.until_over(&reading).await;
    let answered = server.pass(request).await;
    server.end(&writing);
    answered
}

/// What is said of the first and of the second half of such a write, at whatever version.
fn ends(path: &str) -> (String, String) {
    let object: Vec<&str> = path.split('/').enumerate().filter(|(at, _)| *at != 3).map(|(_, part)| part).collect();
    let object = object.join("/");
    (format!("read {object}"), format!("write {object}"))
}

/// Whether it is a patch of an object that changes nothing.
fn is_empty(request: &HttpRequest) -> bool {
    let is_patch = *request.method() == Method::PATCH && request.body().as_ref() == b"{}";
    is_patch && is_object(request) && !query_contains(request, "dryRun")
}
