//! Faults in what requests do to objects.

use bytes::Bytes;
use crdible::connection::{HttpRequest, TransportError};
use http::{HeaderValue, Method, Response, header};
use serde_json::{Value, json};

use crate::{
    hooked::{Hooked, has, is_object, read},
    server::replace_body,
};

pub(crate) mod contended;
pub(crate) mod creates;
pub(crate) mod deletions;
pub(crate) mod dry_runs;
pub(crate) mod histories;
pub(crate) mod lists;
pub(crate) mod managers;
pub(crate) mod modes;
pub(crate) mod namespaces;
pub(crate) mod owners;
pub(crate) mod patches;
pub(crate) mod revisions;
pub(crate) mod routes;
pub(crate) mod texts;
pub(crate) mod updates;

/// The body of a request; null if it is no JSON.
fn body_of(request: &HttpRequest) -> Value {
    serde_json::from_slice(request.body()).unwrap_or_default()
}

/// The body of an answer; null if it is no JSON.
fn body_in(answered: &Response<Bytes>) -> Value {
    serde_json::from_slice(answered.body()).unwrap_or_default()
}

/// Whether it is this method of one object, and no dry run.
fn is_write(request: &HttpRequest, method: &Method) -> bool {
    request.method() == method && is_object(request) && !has(request, "dryRun")
}

/// Whether it is a patch of one object with this type: `merge-patch`, `json-patch`.
fn is_patch(request: &HttpRequest, kind: &str) -> bool {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    *request.method() == Method::PATCH && content_type.is_some_and(|of| of.contains(kind)) && is_object(request)
}

/// The object that a request is about; null if there is none.
async fn stored(server: &Hooked, request: &HttpRequest) -> Result<Value, TransportError> {
    let answered = server.server.send(read(request.uri().path())).await?;
    Ok(if answered.status().is_success() { body_in(&answered) } else { Value::Null })
}

/// The same request with another method and body.
fn instead(request: &HttpRequest, method: Method, body: &Value) -> HttpRequest {
    let mut changed = request.clone();
    *changed.method_mut() = method;
    changed.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    replace_body(&mut changed, body);
    changed
}

/// An answer with this code and body.
fn answer(code: u16, body: &Value) -> Response<Bytes> {
    Response::builder().status(code).body(Bytes::from(body.to_string())).unwrap_or_default()
}

/// Adds to the generation that a body shows.
fn count_up(body: &mut Value) {
    if let Some(generation) = body.pointer("/metadata/generation").and_then(Value::as_i64) {
        body["metadata"]["generation"] = json!(generation + 1);
    }
}

/// Changes the JSON body of a request.
fn with_body(request: &mut HttpRequest, change: impl FnOnce(&mut Value)) {
    let mut body = body_of(request);
    let before = body.clone();
    change(&mut body);
    if body != before {
        replace_body(request, &body);
    }
}
