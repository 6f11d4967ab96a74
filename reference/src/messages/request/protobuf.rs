//! Request bodies in protobuf.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Method};

use super::Call;
use super::body::media_type;
use crate::base::status::Failure;
use crate::kinds::{BuiltIn, DELETE_OPTIONS};
use crate::wire::json;
use crate::wire::protobuf;

/// The headers and the body of a request, converted to JSON. `None` if the body is not protobuf, or if the resource
/// does not accept protobuf.
///
/// # Errors
/// 400 if the body is not a valid message of its type.
pub(crate) fn protobuf_in_json(call: Call<'_>, own: &BuiltIn) -> Result<Option<(HeaderMap, Bytes)>, Failure> {
    if media_type(call.headers) != protobuf::MEDIA_TYPE {
        return Ok(None);
    }
    let value = match call.method {
        &Method::DELETE if call.body.is_empty() => return Ok(None),
        &Method::DELETE => protobuf::decode(call.body, &DELETE_OPTIONS, protobuf::OPTIONS),
        &Method::POST | &Method::PUT => protobuf::decode(call.body, own.object, own.kind),
        _ => return Ok(None),
    };
    let value = value.map_err(Failure::bad_request)?;
    let mut headers = call.headers.clone();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(Some((headers, json::write(&value).into())))
}
