//! Content hashes, and whether a client has the content already.

use http::HeaderMap;
use http::header::IF_NONE_MATCH;

/// A hash of the content, the same in every process: 128-bit FNV-1a. It validates caches; it is not cryptographic.
pub(crate) fn hash(content: &[u8]) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash = content.iter().fold(BASIS, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME));
    format!("{hash:032X}")
}

/// Whether `If-None-Match` lists this hash.
pub(crate) fn is_known(headers: &HeaderMap, hash: &str) -> bool {
    let values = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = values.flat_map(|value| value.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == format!("\"{hash}\""))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    // Test vectors of the authors of FNV.
    #[rstest]
    #[case("", "6C62272E07BB014262B821756295C58D")]
    #[case("a", "D228CB696F1A8CAF78912B704E4A8964")]
    #[case("foobar", "343E1662793C64BF6F0D3597BA446F18")]
    fn hashes(#[case] content: &str, #[case] expected: &str) {
        assert_eq!(hash(content.as_bytes()), expected);
    }

    #[rstest]
    #[case("\"A\"", true)]
    #[case("W/\"A\"", true)]
    #[case("\"B\", \"A\"", true)]
    #[case("*", true)]
    #[case("\"B\"", false)]
    #[case("A", false)]
    fn oapi_001_known_content(#[case] tags: &'static str, #[case] known: bool) {
        let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(tags))]);
        assert_eq!(is_known(&headers, "A"), known);
    }
}
