//! The answer of a hook as an HTTP response.

use http::{HeaderName, HeaderValue, Response, StatusCode, header};

/// A response of JSON with further headers. One that HTTP does not allow is left out.
pub(super) fn response<B>(status: u16, headers: Vec<(String, String)>, body: B) -> Response<B> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
