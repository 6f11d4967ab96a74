//! Request bodies that contain an object.

use std::borrow::Cow;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use thiserror::Error;

use super::Call;
use crate::base::status::Failure;
use crate::kinds::Kind;
use crate::wire::json::{self, JsonError, Parsed};
use crate::wire::protobuf;
use crate::wire::summary::summary;
use crate::wire::yaml;

/// The media types that upstream lists in a 415, also for custom resources, for which it does not accept protobuf.
const ACCEPTED: &str =
    "accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf";

/// The media type of YAML.
const YAML: &str = "application/yaml";

/// The media type of the body, in lower case and without parameters; empty without a `Content-Type`.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Why a body in the right format cannot be decoded, in upstream's words.
#[derive(Debug, Error)]
pub(super) enum Unread {
    /// It is not JSON, or not YAML.
    #[error("{0}")]
    Malformed(String),
    /// It holds a value that cannot be represented.
    #[error("{0}")]
    OutOfRange(String),
}

/// Decodes the body of a create or an update of an object of this kind.
pub(crate) fn body_object(call: &Call<'_>, kind: &Kind) -> Result<Parsed, Failure> {
    read(call.headers, call.body)?.map_err(|unread| match unread {
        Unread::Malformed(why) => unrecognized(kind, &why, call.body),
        Unread::OutOfRange(why) => undecodable(kind, &why),
    })
}

/// 400 for a body that does not say what it is.
pub(crate) fn unrecognized(kind: &Kind, why: &str, body: &[u8]) -> Failure {
    let (kind, shown) = (&kind.kind, summary(body));
    Failure::bad_request(format!("the object provided is unrecognized (must be of type {kind}): {why} ({shown})"))
}

/// 400 for a body of the right kind that cannot be decoded.
pub(crate) fn undecodable(kind: &Kind, why: &str) -> Failure {
    let version = kind.api_version.rsplit('/').next().unwrap_or_default();
    Failure::bad_request(format!("{0} in version \"{version}\" cannot be handled as a {0}: {why}", kind.kind))
}

/// Why JSON without a readable `apiVersion` and `kind` is not an object.
pub(crate) fn without_type(error: &str) -> String {
    format!("couldn't get version/kind; json parse error: {error}")
}

/// The body as JSON: upstream converts YAML into JSON with sorted keys before it decodes.
pub(crate) fn json_text<'c>(call: &Call<'c>, parsed: &Parsed) -> Cow<'c, [u8]> {
    match media_type(call.headers).as_str() {
        YAML => Cow::Owned(json::write(&parsed.value)),
        _ => Cow::Borrowed(call.body),
    }
}

/// Decodes a body in its format, which is JSON by default (REST-006); 415 for an unsupported format. The inner error
/// says why the body cannot be decoded.
pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Result<Parsed, Unread>, Failure> {
    check_media_type(headers)?;
    match media_type(headers).as_str() {
        YAML => Ok(yaml::parse(body).map_err(|error| Unread::Malformed(error.to_string()))),
        _ => Ok(json::parse(body).map_err(|error| match error {
            JsonError::Number(_) => Unread::OutOfRange(error.to_string()),
            _ => Unread::Malformed(without_type(&error.to_string())),
        })),
    }
}

/// 415 for a body in an unsupported format (REST-006).
pub(crate) fn check_media_type(headers: &HeaderMap) -> Result<(), Failure> {
    if matches!(media_type(headers).as_str(), "" | "application/json" | YAML) && has_valid_parameters(headers) {
        return Ok(());
    }
    Err(Failure::unsupported_media_type(format!("the body of the request was in an unknown format - {ACCEPTED}")))
}

/// An upper bound of the nesting of a body, determined without decoding it.
pub(crate) fn body_nesting(headers: &HeaderMap, body: &[u8]) -> usize {
    match media_type(headers).as_str() {
        YAML => yaml::nesting(body),
        // Messages are never deep.
        protobuf::MEDIA_TYPE => 0,
        _ => json::nesting(body),
    }
}

/// Whether each parameter of the media type has a unique name and a value.
fn has_valid_parameters(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut names = Vec::new();
    value.split(';').skip(1).map(str::trim).filter(|part| !part.is_empty()).all(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let quotes = value.matches('"').count();
        let is_new = !names.contains(&name);
        names.push(name);
        is_new && !name.is_empty() && !value.is_empty() && quotes % 2 == 0
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case("application/json; charset=utf-8", true)]
    #[case("application/json;", true)]
    #[case("APPLICATION/JSON", true)]
    #[case(" application/json ", true)]
    #[case("application/yaml;a=b", true)]
    #[case("", true)]
    #[case("application/json; charset", false)]
    #[case("application/json;a=b;a=c", false)]
    #[case("application/json; a=\"b", false)]
    #[case("application/json,application/yaml", false)]
    #[case("application/cbor", false)]
    #[case("application/vnd.kubernetes.protobuf", false)]
    #[case("text/plain", false)]
    #[case("json", false)]
    #[case("*/*", false)]
    fn rest_006_content_types(#[case] content_type: &'static str, #[case] accepted: bool) {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(content_type))]);
        let read = read(&headers, b"{}").map_err(|failure| failure.code);
        assert_eq!(read.map(|parsed| parsed.is_ok()), if accepted { Ok(true) } else { Err(415) });
    }
}
