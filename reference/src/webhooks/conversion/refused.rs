//! What an answer with an error status says.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::Value;

use super::body;

/// The limit of a body that is quoted, in bytes.
const LONGEST_QUOTE: usize = 2048;

/// Why a call with this status failed: what its body says if that is a `Status`, or else what the code means.
pub(super) fn cause(code: u16, headers: &HeaderMap, bytes: &[u8]) -> String {
    if let Some(message) = status_message(headers, bytes) {
        return message;
    }
    let quoted = || if is_text(headers) { quote(bytes) } else { "unknown".to_owned() };
    let meaning = match code {
        400 => "the server rejected our request for an unknown reason",
        401 => "the server has asked for the client to provide credentials",
        403 | 415 => return quoted(),
        404 => "the server could not find the requested resource",
        405 => "the server does not allow this method on the requested resource",
        406 => match quoted() {
            quoted if !quoted.is_empty() && quoted != "unknown" => return quoted,
            _ => "the server was unable to respond with a content type that the client supports",
        },
        409 => "the server reported a conflict",
        422 => "the server rejected our request due to an error in our request",
        429 => "the server has received too many requests and has asked us to try again later",
        503 => "the server is currently unable to handle the request",
        504 => {
            "the server was unable to return a response in the time allotted, but may still be processing the request"
        }
        500.. => {
            return format!("an error on the server ({:?}) has prevented the request from succeeding", quoted());
        }
        _ => return format!("the server responded with the status code {code} but did not return more information"),
    };
    meaning.to_owned()
}

/// The message of a `Status` in the body.
fn status_message(headers: &HeaderMap, bytes: &[u8]) -> Option<String> {
    let status = body::read(headers, 500, bytes).ok()?;
    let text = |field| status.get(field).and_then(Value::as_str).unwrap_or_default();
    let is_status = text("kind") == "Status" && matches!(text("apiVersion"), "" | "v1");
    (is_status && text("status") != "Success").then(|| text("message").to_owned())
}

fn quote(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(LONGEST_QUOTE)];
    String::from_utf8_lossy(cut).trim().to_owned()
}

fn is_text(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()).to_lowercase());
    media_type.is_none_or(|media_type| media_type.is_empty() || media_type.starts_with("text/"))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::by_code(404, "application/json", "gone", "the server could not find the requested resource")]
    #[case::text(
        500,
        "text/plain",
        " down\n",
        "an error on the server (\"down\") has prevented the request from succeeding"
    )]
    #[case::no_text(
        500,
        "application/json",
        "{}",
        "an error on the server (\"unknown\") has prevented the request from succeeding"
    )]
    #[case::forbidden(403, "text/html", "<p>", "<p>")]
    #[case::unusual(
        418,
        "text/plain",
        "tea",
        "the server responded with the status code 418 but did not return more information"
    )]
    #[case::status(
        500,
        "application/json",
        r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m"}"#,
        "m"
    )]
    #[case::status_of_success(
        503,
        "text/plain",
        r#"{"kind":"Status","apiVersion":"v1","status":"Success","message":"m"}"#,
        "the server is currently unable to handle the request"
    )]
    fn causes(#[case] code: u16, #[case] media_type: &'static str, #[case] body: &str, #[case] expected: &str) {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]);
        assert_eq!(cause(code, &headers, body.as_bytes()), expected);
    }
}
