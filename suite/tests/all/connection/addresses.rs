//! Addresses of servers.

use crdible::connection::{Address, redact};
use rstest::rstest;

#[rstest]
#[case::plain("http://a", "http://a", "a", 80)]
#[case::default_port("https://a:443/", "https://a", "a", 443)]
#[case::other_port("HTTPS://Example.COM:6443", "https://example.com:6443", "example.com", 6443)]
#[case::other_default("http://a:443", "http://a:443", "a", 443)]
#[case::empty_port("http://a:", "http://a", "a", 80)]
#[case::path("https://a/k8s/clusters/c-1/", "https://a/k8s/clusters/c-1", "a", 443)]
#[case::ip("http://127.0.0.1:8001", "http://127.0.0.1:8001", "127.0.0.1", 8001)]
#[case::ip_v6("https://[::1]:6443/x", "https://[::1]:6443/x", "[::1]", 6443)]
#[case::short_name("https://my_host-1.local.", "https://my_host-1.local.", "my_host-1.local.", 443)]
#[case::empty_user("https://@a", "https://a", "a", 443)]
#[case::spaces(" https://a\n", "https://a", "a", 443)]
fn valid_addresses(#[case] text: &str, #[case] shown: &str, #[case] host: &str, #[case] port: u16) {
    let address = Address::parse(text).unwrap();
    assert_eq!((address.shown().as_str(), address.host(), address.port()), (shown, host, port));
    assert_eq!(address.is_tls(), shown.starts_with("https"));
    assert_eq!(address.authority(), shown.split('/').nth(2).unwrap());
}

#[rstest]
#[case::nothing("", "is not an HTTP URL")]
#[case::no_scheme("a:6443", "is not an HTTP URL")]
#[case::other_scheme("ftp://hunter2@a", "is not an HTTP URL")]
#[case::no_host("https://", "the host is missing")]
#[case::only_a_port("https://:6443", "the host is missing")]
#[case::large_port("https://a:65536", "invalid port")]
#[case::port_with_a_sign("https://a:+1", "invalid port")]
#[case::word_as_port("https://a:b", "invalid port")]
#[case::ip_v6_without_brackets("https://::1", "the host is missing")]
#[case::broken_ip_v6("https://[::1", "invalid IPv6 address")]
#[case::name_in_brackets("https://[a]", "invalid IPv6 address")]
#[case::text_after_brackets("https://[::1]x", "invalid port")]
#[case::space("https://a b", "invalid character in the host")]
#[case::punctuation("https://a!b", "invalid character in the host")]
#[case::space_in_the_path("https://a/b c", "invalid character in the path")]
#[case::user("https://hunter2@a", "use --token")]
#[case::password("https://joe:hunter2@a", "use --token")]
#[case::query("https://a?token=hunter2", "has a query or a fragment")]
#[case::fragment("https://a/#hunter2", "has a query or a fragment")]
fn invalid_addresses(#[case] text: &str, #[case] why: &str) {
    let error = Address::parse(text).unwrap_err();
    assert!(error.contains(why) && !error.contains("hunter2"), "{error}");
}

#[rstest]
#[case("https://joe:hun@ter2@a/b?c#d", "https://a/b")]
#[case("joe:hunter2@a", "a")]
#[case("a b", "a b")]
fn secrets_are_not_shown(#[case] text: &str, #[case] shown: &str) {
    assert_eq!(redact(text), shown);
}
