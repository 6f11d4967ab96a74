//! Reading an answer as Go does: JSON if it looks like it, else YAML (CONV-011).

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::Value;

use crate::wire::json;
use crate::wire::yaml;

/// The byte order mark.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// The value of a body; the error says why it has none.
pub(super) fn read(headers: &HeaderMap, code: u16, bytes: &[u8]) -> Result<Value, String> {
    if bytes.is_empty() {
        let media_type = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()));
        let media_type = media_type.unwrap_or_else(|| "application/json".into());
        return Err(format!("0-length response with status code: {code} and content type: {media_type}"));
    }
    let unreadable = |error: &dyn std::fmt::Display| format!("couldn't get version/kind; json parse error: {error}");
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'{') {
        return json::parse(bytes).map(|parsed| parsed.value).map_err(|error| unreadable(&error));
    }
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    yaml::parse(text).map(|parsed| parsed.value).map_err(|error| unreadable(&error))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::json(b" {\"a\": 1}\n", Some(json!({ "a": 1 })))]
    #[case::mark(b"\xef\xbb\xbf{\"a\": 1}", Some(json!({ "a": 1 })))]
    #[case::comment(b"# c\n{\"a\": 1}", Some(json!({ "a": 1 })))]
    #[case::yaml(b"a: yes\n", Some(json!({ "a": true })))]
    #[case::repeated_key(b"{\"a\": 1, \"a\": 2}", Some(json!({ "a": 2 })))]
    #[case::large(b"{\"a\": 9223372036854775808}", Some(json!({ "a": 9_223_372_036_854_775_808_f64 })))]
    #[case::bad_utf_8(b"{\"a\": \"\xff\"}", Some(json!({ "a": "\u{fffd}" })))]
    #[case::html(b"<p>hello</p>", Some(json!("<p>hello</p>")))]
    #[case::nothing(b"", None)]
    #[case::more_behind(b"{} {}", None)]
    #[case::not_a_number(b"{\"a\": NaN}", None)]
    #[case::single_quotes(b"{'a': 1}", None)]
    fn conv_011_bodies(#[case] body: &[u8], #[case] expected: Option<Value>) {
        assert_eq!(read(&HeaderMap::new(), 200, body).ok(), expected);
    }
}
