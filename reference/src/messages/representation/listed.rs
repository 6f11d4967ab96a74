//! The first check of `Accept` (REST-006): each route of a built-in resource has a list of media types, and the only
//! range that it understands is `*/*`. Custom resources have no such lists.

use http::HeaderMap;
use http::header::ACCEPT;

use crate::base::status::Failure;

/// The media types of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    /// A document in JSON only.
    Json,
    /// Documents and objects.
    Usual,
    /// Resources that can also be watched.
    Watchable,
}

impl Listing {
    fn media_types(self) -> &'static [&'static str] {
        const ALL: [&str; 5] = [
            "application/json",
            "application/yaml",
            "application/vnd.kubernetes.protobuf",
            "application/json;stream=watch",
            "application/vnd.kubernetes.protobuf;stream=watch",
        ];
        match self {
            Self::Json => &ALL[..1],
            Self::Usual => &ALL[..3],
            Self::Watchable => &ALL,
        }
    }
}

/// Refuses with 406 if no alternative of `Accept` is listed literally. Parameters, including the quality, are ignored.
pub(crate) fn refuse_unlisted(headers: &HeaderMap, listing: Listing) -> Result<(), Failure> {
    let listed = listing.media_types();
    let accepted = headers.get(ACCEPT).map(|value| String::from_utf8_lossy(value.as_bytes())).unwrap_or_default();
    let is_listed = |clause: &str| {
        let media_type = clause.split(';').next().unwrap_or_default().trim_matches(' ');
        media_type == "*/*" || listed.contains(&media_type)
    };
    if accepted.is_empty() || accepted.split(',').any(is_listed) {
        return Ok(());
    }
    Err(Failure::unlisted(&listed.join(", ")))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case::nothing("", true, true)]
    #[case::any("*/*", true, true)]
    #[case::any_of_low_quality("text/plain, */*;q=0.1", true, true)]
    #[case::json("application/json", true, true)]
    #[case::json_of_zero_quality("application/json;q=0", true, true)]
    #[case::with_spaces(" application/json ; x=1", true, true)]
    #[case::stream("application/json;stream=watch", true, true)]
    #[case::form("application/json;as=Table;v=v1;g=meta.k8s.io", true, true)]
    #[case::yaml("application/yaml", false, true)]
    #[case::range("application/*", false, false)]
    #[case::range_or_json("application/*,application/json", true, true)]
    #[case::range_or_text("application/*, text/html", false, false)]
    #[case::star("*", false, false)]
    #[case::star_of_json("*/json", false, false)]
    #[case::capitals("APPLICATION/JSON", false, false)]
    #[case::cbor("application/cbor", false, false)]
    fn rest_006_media_types_are_listed(#[case] accept: &'static str, #[case] json: bool, #[case] usual: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        let is_listed = |listing| refuse_unlisted(&headers, listing).is_ok();
        assert_eq!([Listing::Json, Listing::Usual, Listing::Watchable].map(is_listed), [json, usual, usual]);
    }

    #[test]
    fn rest_006_the_refusal_shows_the_list() {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("text/plain"));
        let failure = refuse_unlisted(&headers, Listing::Json).expect_err("a refusal");
        let expected = "406: Not Acceptable\n\nAvailable representations: application/json";
        assert_eq!((failure.code, failure.message.as_str()), (406, expected));
    }
}
