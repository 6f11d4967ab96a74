//! URLs, as Go's `net/url` parses them.

use std::net::Ipv6Addr;

/// The parts of a URL, or of a relative reference. Parts that are missing are empty, and escapes are not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Url<'a> {
    /// The scheme, in the case in which it is written.
    pub scheme: &'a str,
    /// The user information, which may be empty.
    pub user: Option<&'a str>,
    /// The host with its port.
    pub host: &'a str,
    /// The query, without its question mark.
    pub query: &'a str,
    /// The fragment, without its hash sign.
    pub fragment: &'a str,
}

impl<'a> Url<'a> {
    /// Parses a URL or a relative reference like Go's `url.Parse`. Returns `None` if Go rejects the string.
    pub fn parse(text: &'a str) -> Option<Self> {
        let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
        if text.bytes().any(|byte| byte.is_ascii_control()) || !is_escaped(fragment) {
            return None;
        }
        let (scheme, rest) = scheme(text)?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let without_authority = Self { scheme, user: None, host: "", query, fragment };
        if !rest.starts_with('/') {
            if scheme.is_empty() && rest.split('/').next().is_some_and(|first| first.contains(':')) {
                return None;
            }
            return (!scheme.is_empty() || is_escaped(rest)).then_some(without_authority);
        }
        let has_authority = !scheme.is_empty() || !rest.starts_with("///");
        let Some(rest) = rest.strip_prefix("//").filter(|_| has_authority) else {
            return is_escaped(rest).then_some(without_authority);
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        (is_authority(scheme, authority) && is_escaped(path)).then_some(Self { user, host, ..without_authority })
    }
}

/// Whether Go's `url.ParseRequestURI` accepts the string: a URL, an absolute path, or `*`.
pub fn is_request_uri(text: &str) -> bool {
    if text.is_empty() || text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    if text == "*" {
        return true;
    }
    let Some((scheme, rest)) = scheme(text) else {
        return false;
    };
    // The query may contain anything.
    let path = rest.split('?').next().unwrap_or(rest);
    if !path.starts_with('/') {
        return !scheme.is_empty();
    }
    match path.strip_prefix("//").filter(|_| !scheme.is_empty()) {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            is_authority(scheme, authority) && is_escaped(path)
        }
        None => is_escaped(path),
    }
}

/// Splits off the scheme, which may be empty. Returns `None` if the string starts with a colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index > 0 => return Some((&text[..index], &text[index + 1..])),
            b':' => return None,
            _ => break,
        }
    }
    Some(("", text))
}

/// Whether two hexadecimal digits follow each `%`.
fn is_escaped(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| escaped(rest).is_some())
}

/// The byte that the first two hexadecimal digits encode.
fn escaped(text: &str) -> Option<u8> {
    let digits = text.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

fn is_authority(scheme: &str, authority: &str) -> bool {
    match authority.rsplit_once('@') {
        Some((user, host)) => is_host(scheme, host) && is_user(user),
        None => is_host(scheme, authority),
    }
}

fn is_user(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    text.bytes().all(is_allowed) && is_escaped(text)
}

fn is_host(scheme: &str, host: &str) -> bool {
    match host.rfind('[') {
        Some(0) => is_bracketed(host),
        Some(_) => false,
        None => {
            let first = host.find(':');
            // Other schemes allow a list of hosts, each with a port, so only the last colon starts the port.
            let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            let colon = if is_web { first } else { host.rfind(':') };
            let port = colon.map_or("", |colon| &host[colon..]);
            is_port(port) && is_host_text(host)
        }
    }
}

/// `[::1]:80`, optionally with a zone after `%25`.
fn is_bracketed(host: &str) -> bool {
    let Some(close) = host.rfind(']') else {
        return false;
    };
    let (inner, port) = (&host[1..close], &host[close + 1..]);
    if !is_port(port) {
        return false;
    }
    let (address, zone) = inner.split_at(inner.find("%25").unwrap_or(inner.len()));
    let is_zone = zone.is_empty() || zone.len() > 3 && is_zone_text(zone);
    // Go allows an escape in the address only for a non-ASCII byte, which no address contains.
    is_zone && address.parse::<Ipv6Addr>().is_ok()
}

fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_host_byte(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"!$&'()*+,;=:[]<>\"-_.~".contains(&byte)
}

/// Whether a host has valid characters only. Only non-ASCII bytes and `%` may be escaped.
fn is_host_text(text: &str) -> bool {
    is_text(text, |byte| !byte.is_ascii() || byte == b'%')
}

/// Whether a zone has valid characters only. Blanks, `%` and the ASCII characters of a host may be escaped.
fn is_zone_text(text: &str) -> bool {
    is_text(text, |byte| byte == b'%' || byte == b' ' || byte.is_ascii() && is_host_byte(byte))
}

fn is_text(text: &str, may_be_escaped: impl Fn(u8) -> bool) -> bool {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default();
    first.bytes().all(is_host_byte)
        && parts.all(|part| escaped(part).is_some_and(&may_be_escaped) && part.bytes().skip(2).all(is_host_byte))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Url, is_request_uri};

    fn url(scheme: &'static str, user: Option<&'static str>, host: &'static str) -> Url<'static> {
        Url { scheme, user, host, query: "", fragment: "" }
    }

    #[rstest]
    #[case::all_parts("HTTPS://u:p@a.b:1/c?d#e", Some(Url { query: "d", fragment: "e", ..url("HTTPS", Some("u:p"), "a.b:1") }))]
    #[case::empty_parts("https://@a/?#", Some(url("https", Some(""), "a")))]
    #[case::port_alone("https://:443/", Some(url("https", None, ":443")))]
    #[case::opaque("mailto:a@b", Some(url("mailto", None, "")))]
    #[case::without_scheme("//a/b", Some(url("", None, "a")))]
    #[case::three_slashes("///a", Some(url("", None, "")))]
    #[case::relative("a/b:c", Some(url("", None, "")))]
    #[case::bracketed("http://[::1]:80", Some(url("http", None, "[::1]:80")))]
    #[case::list_of_hosts("postgres://a:1,b:2", Some(url("postgres", None, "a:1,b:2")))]
    #[case::list_of_hosts_on_the_web("http://a:1,b:2", None)]
    #[case::colon_in_the_first_segment("1:2", None)]
    #[case::control_character("a\n", None)]
    #[case::wrong_escape("https://a/%zz", None)]
    #[case::wrong_escape_in_the_fragment("#%z", None)]
    #[case::blank_in_the_host("https://a b/", None)]
    fn urls_parse_as_in_go(#[case] text: &str, #[case] expected: Option<Url<'_>>) {
        assert_eq!(Url::parse(text), expected);
    }

    #[rstest]
    #[case::url("https://a/b#c", true)]
    #[case::absolute_path("/a", true)]
    #[case::asterisk("*", true)]
    #[case::relative_path("a", false)]
    #[case::empty("", false)]
    fn request_uris_are_absolute(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_request_uri(text), expected);
    }
}
