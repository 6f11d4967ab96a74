//! Faults in `/status` and `/scale`.

use crdible::connection::{HttpRequest, TransportError};
use http::Method;
use serde_json::{Value, json};

use crate::{
    hooked::{Hooked, read},
    server::{Answer, is_about_definitions, replace_body},
};

pub(crate) mod scales;
pub(crate) mod statuses;

/// Whether it is about this subresource of an object.
fn is_of(request: &HttpRequest, subresource: &str) -> bool {
    !is_about_definitions(request) && request.uri().path().ends_with(subresource)
}

fn is_write(request: &HttpRequest) -> bool {
    [Method::PUT, Method::PATCH].contains(request.method())
}

fn body_of(request: &HttpRequest) -> Value {
    serde_json::from_slice(request.body()).unwrap_or_default()
}

/// The object of a subresource, as it is stored.
async fn stored(server: &Hooked, request: &HttpRequest) -> Result<Value, TransportError> {
    let path = request.uri().path();
    let object = path.rsplit_once('/').map_or(path, |(object, _)| object);
    let answered = server.server.send(read(object)).await?;
    Ok(serde_json::from_slice(answered.body()).unwrap_or_default())
}

/// Drops the resourceVersion of a body.
fn drop_revision(request: &mut HttpRequest) {
    let mut body = body_of(request);
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut)
        && metadata.remove("resourceVersion").is_some()
    {
        replace_body(request, &body);
    }
}

/// Counts the generation that an answer shows up.
fn count_up(answer: &mut Answer) {
    let generation = answer.body.pointer("/metadata/generation").and_then(Value::as_i64);
    if let (true, Some(generation)) = (answer.head.status.is_success(), generation) {
        answer.body["metadata"]["generation"] = json!(generation + 1);
    }
}
