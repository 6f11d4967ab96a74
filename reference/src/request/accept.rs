//! `Accept`: which form of an answer is wanted (REST-006, REST-069, DISC-011).

use http::HeaderMap;
use http::header::ACCEPT;

use crate::status::Failure;

/// What this server can write so far.
const WRITABLE: &str = "application/json";

/// One range of an `Accept` header.
struct Range<'a> {
    media_type: &'a str,
    quality: f32,
    /// `as`, `g`, `v`.
    transform: [&'a str; 3],
}

/// The two forms of discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiscoveryForm {
    /// One document per level.
    Plain,
    /// All in one `APIGroupDiscoveryList` of version v2.
    Aggregated,
}

/// Checks that JSON without a transformation is wanted, among others.
pub(crate) fn negotiate_object(headers: &HeaderMap) -> Result<(), Failure> {
    let plain = |range: &Range<'_>| accepts_json(range) && range.transform[0].is_empty();
    let text = accept(headers);
    let ranges = ranges(&text);
    if ranges.is_empty() || ranges.iter().any(plain) {
        return Ok(());
    }
    let transformed = ranges.iter().find(|range| !range.transform[0].is_empty());
    Err(Failure::not_acceptable(&transformed.map_or_else(
        || WRITABLE.to_owned(),
        |range| format!("{WRITABLE} ({} is not supported by the embedded server yet)", range.transform[0]),
    )))
}

/// Chooses the form of `/apis` and `/api`: of several alternatives the first known one.
pub(crate) fn discovery_form(headers: &HeaderMap) -> Result<DiscoveryForm, Failure> {
    let text = accept(headers);
    let ranges = ranges(&text);
    if ranges.is_empty() {
        return Ok(DiscoveryForm::Plain);
    }
    let known = ranges.iter().find_map(|range| match range.transform {
        _ if !accepts_json(range) => None,
        ["", _, _] => Some(DiscoveryForm::Plain),
        ["APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2"] => Some(DiscoveryForm::Aggregated),
        _ => None,
    });
    known.ok_or_else(|| Failure::not_acceptable(WRITABLE))
}

/// Whether a document of `OpenAPI` in JSON is wanted, among others. Upstream asks for no quality, and takes `*/json` (OAPI-001).
pub(crate) fn takes_document(headers: &HeaderMap) -> bool {
    let text = accept(headers);
    let ranges = ranges(&text);
    ranges.is_empty()
        || ranges
            .iter()
            .filter_map(|range| range.media_type.split_once('/'))
            .any(|(kind, subkind)| matches!(kind, "application" | "*") && matches!(subkind, "json" | "*"))
}

fn accept(headers: &HeaderMap) -> String {
    let values = headers.get_all(ACCEPT).iter();
    values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(",")
}

fn accepts_json(range: &Range<'_>) -> bool {
    range.quality > 0.0 && matches!(range.media_type, "application/json" | "application/*" | "*/*")
}

/// The ranges of a header, the best quality first, else in their order.
fn ranges(text: &str) -> Vec<Range<'_>> {
    let mut ranges: Vec<Range<'_>> =
        text.split(',').map(str::trim).filter(|range| !range.is_empty()).map(range).collect();
    ranges.sort_by(|a, b| b.quality.total_cmp(&a.quality));
    ranges
}

fn range(text: &str) -> Range<'_> {
    let mut parts = text.split(';').map(str::trim);
    let mut range = Range { media_type: parts.next().unwrap_or_default(), quality: 1.0, transform: ["", "", ""] };
    for (key, value) in parts.filter_map(|part| part.split_once('=')) {
        match key.trim() {
            "q" => range.quality = value.trim().parse().unwrap_or(1.0),
            "as" => range.transform[0] = value.trim(),
            "g" => range.transform[1] = value.trim(),
            "v" => range.transform[2] = value.trim(),
            _ => {}
        }
    }
    range
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    fn headers(accept: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        headers
    }

    #[rstest]
    #[case::rest_006_json("application/json", true)]
    #[case::rest_006_any("*/*", true)]
    #[case::rest_006_range("application/*;q=0.5", true)]
    #[case::rest_006_charset("application/json; charset=utf-8", true)]
    #[case::rest_006_text("text/plain", false)]
    #[case::rest_006_protobuf("application/vnd.kubernetes.protobuf", false)]
    #[case::rest_006_protobuf_then_json("application/vnd.kubernetes.protobuf,application/json", true)]
    #[case::refused_quality("application/json;q=0", false)]
    #[case::table_with_fallback("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", true)]
    #[case::table_alone("application/json;as=Table;v=v1;g=meta.k8s.io", false)]
    fn objects(#[case] accept: &'static str, #[case] accepted: bool) {
        assert_eq!(negotiate_object(&headers(accept)).is_ok(), accepted);
    }

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
        assert_eq!(takes_document(&headers(accept)), accepted);
    }

    #[rstest]
    #[case::disc_011_alone(AGGREGATED, Some(DiscoveryForm::Aggregated))]
    #[case::disc_011_any("*/*", Some(DiscoveryForm::Plain))]
    #[case::disc_011_old("application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", None)]
    #[case::disc_011_first_known(
        "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
        Some(DiscoveryForm::Plain)
    )]
    fn discovery(#[case] accept: &'static str, #[case] form: Option<DiscoveryForm>) {
        assert_eq!(discovery_form(&headers(accept)).ok(), form);
    }
}
