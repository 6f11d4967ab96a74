//! Faults in what becomes of writes of one object that are sent together.

use std::time::Duration;

use crdible::connection::{HttpRequest, TransportError};
use http::Method;
use serde_json::{Value, json};

use crate::{
    hooked::{Hooked, has, hooked, is_object, merge, read},
    server::replace_body,
    table::{Fault, fault},
};

/// How long a write takes between what it reads and what it stores: others get in between.
const BETWEEN: Duration = Duration::from_millis(150);

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "writes-labels-as-they-were-read",
        "a patch that changes nothing takes back labels that were written meanwhile",
    )
    .breaks(&["INV-040"])
    .caught_by(&["inv-040-migration"])
    .within_lines(200)
    .around(act!(|server, request| {
        if !is_empty(&request) {
            return server.server.send(request).await;
        }
        let path = request.uri().path().to_owned();
        let before = read_before(server, &path).await?;
        // Those that came since are taken back.
        let labels = match &before["metadata"]["labels"] {
            Value::Null => json!({ "written": null }),
            labels => labels.clone(),
        };
        server.server.send(merge(&path, &json!({ "metadata": { "labels": labels } }))).await
    })),
    fault(
        "patches-once",
        "a patch that changes nothing is 409 if somebody else wrote the object since it was read, and is not tried again",
    )
        .breaks(&["INV-040"])
        .caught_by(&["inv-040-migration"])
        .within_lines(200)
        .around(act!(|server, request| {
            if !is_empty(&request) {
                return server.server.send(request).await;
            }
            let before = read_before(server, request.uri().path()).await?;
            let mut request = request;
            if let Ok(mut patch @ Value::Object(_)) = serde_json::from_slice::<Value>(request.body()) {
                patch["metadata"]["resourceVersion"] = before["metadata"]["resourceVersion"].clone();
                replace_body(&mut request, &patch);
            }
            server.server.send(request).await
        })),
];

/// What a write reads before it stores something, some time later.
async fn read_before(server: &Hooked, path: &str) -> Result<Value, TransportError> {
    let before = server.server.send(read(path)).await?;
    tokio::time::sleep(BETWEEN).await;
    Ok(serde_json::from_slice(before.body()).unwrap_or_default())
}

/// Whether it is a patch of an object that changes nothing.
fn is_empty(request: &HttpRequest) -> bool {
    let is_patch = *request.method() == Method::PATCH && request.body().as_ref() == b"{}";
    is_patch && is_object(request) && !has(request, "dryRun")
}
