//! Content negotiation for `OpenAPI` documents (OAPI-001, OAPI-009).

use http::HeaderMap;
use http::header::ACCEPT;

/// The forms of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentForm {
    Json,
    /// As protobuf; only version 2 has that form here.
    Protobuf,
}

/// The media type of version 2 in protobuf.
pub(super) const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// The names of protobuf without `application/`; the first is that of old clients, and of kubectl.
const PROTOBUF_NAMES: [&str; 2] =
    ["com.github.proto-openapi.spec.v2@v1.0+protobuf", "com.github.proto-openapi.spec.v2.v1.0+protobuf"];

/// Whether a client accepts a document in JSON. As upstream, ignores quality values and accepts `*/json`.
pub(super) fn accepts_json(headers: &HeaderMap) -> bool {
    forms(headers).contains(&Some(DocumentForm::Json))
}

/// The form of version 2 that a client wants: that of the first clause, in the order of their qualities, which the
/// server has.
pub(super) fn wanted(headers: &HeaderMap) -> Option<DocumentForm> {
    forms(headers).into_iter().flatten().next()
}

/// The form that each clause asks for, if there is one; the best quality first.
fn forms(headers: &HeaderMap) -> Vec<Option<DocumentForm>> {
    let values = headers.get_all(ACCEPT).iter();
    let text = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(",");
    let mut clauses: Vec<&str> = text.split(',').map(str::trim).filter(|clause| !clause.is_empty()).collect();
    if clauses.is_empty() {
        return vec![Some(DocumentForm::Json)];
    }
    clauses.sort_by(|a, b| quality(b).total_cmp(&quality(a)));
    clauses.into_iter().map(form).collect()
}

fn form(clause: &str) -> Option<DocumentForm> {
    let (kind, subtype) = clause.split(';').next()?.trim().split_once('/')?;
    match subtype {
        _ if !matches!(kind, "application" | "*") => None,
        "json" | "*" => Some(DocumentForm::Json),
        _ => PROTOBUF_NAMES.contains(&subtype).then_some(DocumentForm::Protobuf),
    }
}

fn quality(clause: &str) -> f64 {
    let parameters = clause.split(';').skip(1).filter_map(|parameter| parameter.trim().strip_prefix("q="));
    parameters.last().and_then(|text| text.parse().ok()).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::DocumentForm::{Json, Protobuf};
    use super::*;

    fn accepting(accept: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))])
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
        assert_eq!(accepts_json(&accepting(accept)), accepted);
    }

    #[rstest]
    #[case("application/com.github.proto-openapi.spec.v2@v1.0+protobuf", Some(Protobuf))]
    #[case("application/com.github.proto-openapi.spec.v2.v1.0+protobuf", Some(Protobuf))]
    #[case("application/json;q=0.5, application/com.github.proto-openapi.spec.v2@v1.0+protobuf", Some(Protobuf))]
    #[case("application/com.github.proto-openapi.spec.v2@v1.0+protobuf;q=0.5, application/json", Some(Json))]
    #[case("*/*", Some(Json))]
    #[case("application/com.github.proto-openapi.spec.v3@v1.0+protobuf", None)]
    fn oapi_009_e1_version_2(#[case] accept: &'static str, #[case] expected: Option<DocumentForm>) {
        assert_eq!(wanted(&accepting(accept)), expected);
    }
}
