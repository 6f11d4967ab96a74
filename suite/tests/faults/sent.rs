//! Requests: what they are about, and how they are changed on their way to a correct server.

use bytes::Bytes;
use crdible::connection::HttpRequest;
use http::{HeaderName, HeaderValue, Method, header};
use serde_json::Value;

use crate::json::{parsed, remove};

pub(crate) const MERGE_PATCH: &str = "application/merge-patch+json";

pub(crate) fn is_about_definitions(request: &HttpRequest) -> bool {
    request.uri().path().starts_with("/apis/apiextensions.k8s.io")
}

/// Whether its path is that of one object.
pub(crate) fn is_object(request: &HttpRequest) -> bool {
    let rest = request.uri().path().split('/').skip(4);
    let segments: Vec<&str> = rest.collect();
    matches!(segments[..], ["namespaces", _, _, _]) || matches!(segments[..], [plural, _] if plural != "namespaces")
}

pub(crate) fn is_list(request: &HttpRequest) -> bool {
    *request.method() == Method::GET && !is_object(request) && !is_watch(request)
}

pub(crate) fn is_watch(request: &HttpRequest) -> bool {
    *request.method() == Method::GET && query_contains(request, "watch=")
}

/// Whether it is this method of one object, and no dry run.
pub(crate) fn is_write(request: &HttpRequest, method: &Method) -> bool {
    request.method() == method && is_object(request) && !query_contains(request, "dryRun")
}

/// Whether it is a PUT or a patch of one object.
pub(crate) fn is_update(request: &HttpRequest) -> bool {
    [Method::PUT, Method::PATCH].contains(request.method()) && is_object(request)
}

/// Whether it is a patch of one object with this type: `merge-patch`, `json-patch`.
pub(crate) fn is_patch(request: &HttpRequest, kind: &str) -> bool {
    *request.method() == Method::PATCH && header_of(request, &header::CONTENT_TYPE).contains(kind) && is_object(request)
}

/// Whether the query contains this.
pub(crate) fn query_contains(request: &HttpRequest, text: &str) -> bool {
    request.uri().query().is_some_and(|query| query.contains(text))
}

/// The value of a parameter of the query, as it is written.
pub(crate) fn parameter<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.uri().query()?.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

/// Replaces the values of a parameter of a query, or removes it. The rest of the query stays as it is.
pub(crate) fn set_parameter(request: &mut HttpRequest, name: &str, value: Option<&str>) {
    let parameters = request.uri().query().unwrap_or_default().split('&');
    let others = parameters.filter(|other| !other.is_empty() && other.split('=').next() != Some(name));
    let set = value.map(|value| format!("{name}={value}"));
    let query = others.map(str::to_owned).chain(set).collect::<Vec<_>>().join("&");
    let path = request.uri().path();
    let uri = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    *request.uri_mut() = uri.parse().unwrap_or_default();
}

/// Leads a request for objects elsewhere, with its query.
pub(crate) fn replace_path(request: &mut HttpRequest, change: impl Fn(&str) -> Option<String>) {
    if is_about_definitions(request) {
        return;
    }
    if let Some(path) = change(request.uri().path()) {
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        *request.uri_mut() = format!("{path}{query}").parse().unwrap_or_default();
    }
}

/// Sends a request at `v2` to `v1`.
pub(crate) fn ask_first_version(request: &mut HttpRequest) {
    *request.uri_mut() = request.uri().to_string().replacen("/v2/", "/v1/", 1).parse().unwrap_or_default();
}

/// The text of a header; empty if there is none.
pub(crate) fn header_of<'a>(request: &'a HttpRequest, name: &HeaderName) -> &'a str {
    request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The `Accept` header.
pub(crate) fn accepted(request: &HttpRequest) -> &str {
    header_of(request, &header::ACCEPT)
}

/// Replaces the `Accept` header.
pub(crate) fn accept(request: &mut HttpRequest, accepted: &str) {
    if let Ok(value) = HeaderValue::from_str(accepted) {
        request.headers_mut().insert(header::ACCEPT, value);
    }
}

/// Changes a header, if there is one.
pub(crate) fn change_header(request: &mut HttpRequest, name: HeaderName, change: impl FnOnce(&str) -> String) {
    let value = request.headers().get(&name).and_then(|value| value.to_str().ok()).map(change);
    if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
        request.headers_mut().insert(name, value);
    }
}

/// Replaces the type of the body.
pub(crate) fn set_type(request: &mut HttpRequest, kind: &'static str) {
    request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
}

/// The JSON body; null if there is none.
pub(crate) fn body_of(request: &HttpRequest) -> Value {
    parsed(request.body())
}

/// Changes the JSON body.
pub(crate) fn with_body(request: &mut HttpRequest, change: impl FnOnce(&mut Value)) {
    let mut body = body_of(request);
    let before = body.clone();
    change(&mut body);
    if body != before {
        replace_body(request, &body);
    }
}

/// Removes a field of the JSON body.
pub(crate) fn send_without(request: &mut HttpRequest, pointer: &str) {
    with_body(request, |body| {
        remove(body, pointer);
    });
}

/// Replaces the JSON body.
pub(crate) fn replace_body(request: &mut HttpRequest, body: &Value) {
    *request.body_mut() = Bytes::from(body.to_string());
}

/// GET of a path.
pub(crate) fn read(path: &str) -> HttpRequest {
    let mut request = HttpRequest::default();
    *request.uri_mut() = path.parse().unwrap_or_default();
    request
}

/// A merge patch.
pub(crate) fn merge(path: &str, patch: &Value) -> HttpRequest {
    instead(&read(path), Method::PATCH, MERGE_PATCH, patch)
}

/// POST of a body.
pub(crate) fn create(path: &str, body: &Value) -> HttpRequest {
    instead(&read(path), Method::POST, "application/json", body)
}

/// The same request as a PUT of another body.
pub(crate) fn put_instead(request: &HttpRequest, body: &Value) -> HttpRequest {
    instead(request, Method::PUT, "application/json", body)
}

/// The same request as a merge patch.
pub(crate) fn merge_instead(request: &HttpRequest, patch: &Value) -> HttpRequest {
    instead(request, Method::PATCH, MERGE_PATCH, patch)
}

/// The request for one object or definition as a create of such a body.
pub(crate) fn create_instead(request: &HttpRequest, body: &Value) -> HttpRequest {
    let mut create = instead(request, Method::POST, "application/json", body);
    let (collection, _) = request.uri().path().rsplit_once('/').unwrap_or_default();
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    *create.uri_mut() = format!("{collection}{query}").parse().unwrap_or_default();
    create
}

/// The same request with another method and body. Its other headers stay, among them what it accepts.
fn instead(request: &HttpRequest, method: Method, kind: &'static str, body: &Value) -> HttpRequest {
    let mut request = request.clone();
    *request.method_mut() = method;
    set_type(&mut request, kind);
    replace_body(&mut request, body);
    request
}
