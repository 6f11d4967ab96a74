//! Faults in `/status` and `/scale`.

use crdible::connection::{HttpRequest, TransportError};
use http::Method;
use serde_json::Value;

use crate::{layer::Layered, sent::is_about_definitions};

pub(crate) mod scales;
pub(crate) mod statuses;

/// Whether it is about this subresource of an object.
fn is_of(request: &HttpRequest, subresource: &str) -> bool {
    !is_about_definitions(request) && request.uri().path().ends_with(subresource)
}

/// Whether it is this method of this subresource of an object.
fn is_method(request: &HttpRequest, method: &Method, subresource: &str) -> bool {
    request.method() == method && is_of(request, subresource)
}

/// Whether it writes this subresource of an object.
fn is_update_of(request: &HttpRequest, subresource: &str) -> bool {
    [Method::PUT, Method::PATCH].contains(request.method()) && is_of(request, subresource)
}

/// The object of a subresource, as it is stored.
async fn main_object(server: &Layered, request: &HttpRequest) -> Result<Value, TransportError> {
    let path = request.uri().path();
    server.get(path.rsplit_once('/').map_or(path, |(object, _)| object)).await
}
