//! Content negotiation for `OpenAPI` documents (OAPI-001).

use http::HeaderMap;
use http::header::ACCEPT;

/// Whether a client accepts a document in JSON. As upstream, ignores quality values and accepts `*/json`.
pub(super) fn accepts_json(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    let text = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(",");
    let mut ranges = text.split(',').map(str::trim).filter(|range| !range.is_empty()).peekable();
    if ranges.peek().is_none() {
        return true;
    }
    let media_types = ranges.filter_map(|range| range.split(';').next()?.trim().split_once('/'));
    media_types
        .into_iter()
        .any(|(kind, subtype)| matches!(kind, "application" | "*") && matches!(subtype, "json" | "*"))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("application/json", true)]
    #[case("*/*", true)]
    #[case("text/html, application/*;q=0.1", true)]
    #[case("application/json;q=0", true)]
    #[case("application/com.github.proto-openapi.spec.v3@v1.0+protobuf;q=0.2,application/json", true)]
    #[case("application/com.github.proto-openapi.spec.v3@v1.0+protobuf", false)]
    #[case("application/yaml", false)]
    #[case("text/html", false)]
    #[case("", true)]
    fn oapi_001_documents(#[case] accept: &'static str, #[case] accepted: bool) {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
        assert_eq!(accepts_json(&headers), accepted);
    }
}
