//! Bodies that carry an object.

use http::HeaderMap;
use http::header::CONTENT_TYPE;

use super::Call;
use crate::json::{self, Parsed};
use crate::status::Failure;

/// Forms of bodies that the real server takes, for the message of a 415.
const ACCEPTED: &str = "accepted media types include: application/json";

/// The media type of the body, lower case and without parameters; empty if none is stated.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Reads the body of a create or an update. Only JSON so far; no type means JSON (REST-006).
pub(crate) fn body_object(call: &Call<'_>) -> Result<Parsed, Failure> {
    json_only(call.headers)?;
    json::parse(call.body).map_err(|error| {
        Failure::bad_request(format!("the object provided is unrecognized: json parse error: {error}"))
    })
}

/// Refuses bodies that are not JSON by their type.
pub(super) fn json_only(headers: &HeaderMap) -> Result<(), Failure> {
    match media_type(headers).as_str() {
        "" | "application/json" => Ok(()),
        "application/yaml" => Err(Failure::unsupported_media_type(format!(
            "YAML bodies are not supported by the embedded server yet - {ACCEPTED}"
        ))),
        _ => Err(Failure::unsupported_media_type(format!(
            "the body of the request was in an unknown format - {ACCEPTED}"
        ))),
    }
}
