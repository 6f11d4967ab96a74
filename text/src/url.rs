//! URLs, as Go's `net/url` parses them.

use std::net::Ipv4Addr;

use crate::{fault_of_address, quoted};

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
    fault_of_request_uri(text).is_none()
}

/// Why Go's `url.Parse` rejects a string without a fragment, in its words; `None` if it accepts it.
pub fn fault_of_url(text: &str) -> Option<String> {
    // Unlike a request, a reference may have an authority and no scheme.
    let (path, _) = text.split_once('?').unwrap_or((text, ""));
    if let Some(rest) = path.strip_prefix("//").filter(|rest| !rest.starts_with('/')) {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        return fault_of_authority("", authority).or_else(|| fault_of_escapes(path));
    }
    match fault_of_request_uri(text).as_deref() {
        // A relative reference, or nothing.
        Some("invalid URI for request" | "empty url") => {
            let path = text.split('?').next().unwrap_or_default();
            let first = path.split('/').next().unwrap_or_default();
            let fault = first.contains(':').then(|| "first path segment in URL cannot contain colon".to_owned());
            fault.or_else(|| fault_of_escapes(path))
        }
        fault => fault.map(str::to_owned),
    }
}

/// Why Go's `url.ParseRequestURI` rejects the string, in its words; `None` if it accepts it.
pub fn fault_of_request_uri(text: &str) -> Option<String> {
    let because = |why: &str| Some(why.to_owned());
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return because("net/url: invalid control character in URL");
    }
    match text {
        "" => return because("empty url"),
        "*" => return None,
        _ => {}
    }
    let Some((scheme, rest)) = scheme(text) else { return because("missing protocol scheme") };
    // The query may contain anything.
    let path = rest.split('?').next().unwrap_or(rest);
    if !path.starts_with('/') {
        return if scheme.is_empty() { because("invalid URI for request") } else { None };
    }
    match path.strip_prefix("//").filter(|_| !scheme.is_empty()) {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            fault_of_authority(scheme, authority).or_else(|| fault_of_escapes(path))
        }
        None => fault_of_escapes(path),
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
    fault_of_escapes(text).is_none()
}

/// The first `%` that two hexadecimal digits do not follow.
fn fault_of_escapes(text: &str) -> Option<String> {
    fault_of_text(text, |_| true, |_| true)
}

/// The byte that two hexadecimal digits encode.
fn escaped(digits: &[u8]) -> Option<u8> {
    let digits = digits.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn is_authority(scheme: &str, authority: &str) -> bool {
    fault_of_authority(scheme, authority).is_none()
}

fn fault_of_authority(scheme: &str, authority: &str) -> Option<String> {
    match authority.rsplit_once('@') {
        Some((user, host)) => fault_of_host(scheme, host).or_else(|| fault_of_user(user)),
        None => fault_of_host(scheme, authority),
    }
}

fn fault_of_user(text: &str) -> Option<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    if !text.bytes().all(is_allowed) {
        return Some("net/url: invalid userinfo".to_owned());
    }
    text.splitn(2, ':').find_map(fault_of_escapes)
}

fn fault_of_host(scheme: &str, host: &str) -> Option<String> {
    match host.rfind('[') {
        Some(0) => fault_of_bracketed(host),
        Some(_) => Some("invalid IP-literal".to_owned()),
        None => {
            let first = host.find(':');
            // Other schemes allow a list of hosts, each with a port, so only the last colon starts the port.
            let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            let colon = if is_web { first } else { host.rfind(':') };
            let port = colon.map_or("", |colon| &host[colon..]);
            fault_of_port(port).or_else(|| fault_of_host_text(host))
        }
    }
}

/// `[::1]:80`, optionally with a zone after `%25`.
fn fault_of_bracketed(host: &str) -> Option<String> {
    let Some(close) = host.rfind(']') else { return Some("missing ']' in host".to_owned()) };
    let (inner, port) = (&host[1..close], &host[close + 1..]);
    let (address, zone) = inner.split_at(inner.find("%25").unwrap_or(inner.len()));
    let of_texts = fault_of_port(port).or_else(|| fault_of_host_text(address)).or_else(|| fault_of_zone_text(zone));
    of_texts.or_else(|| {
        // Go allows an escape in the address only for a non-ASCII byte, which no address contains.
        let is_v4 = address.parse::<Ipv4Addr>().is_ok() && zone.is_empty();
        let unescaped = format!("{address}{}", zone.replacen("%25", "%", 1));
        let fault = fault_of_address(&unescaped).map(|why| format!("invalid host: {why}"));
        if is_v4 { Some("invalid IP-literal".to_owned()) } else { fault }
    })
}

fn fault_of_port(text: &str) -> Option<String> {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_right = text.is_empty() || text.strip_prefix(':').is_some_and(is_port);
    (!is_right).then(|| format!("invalid port {} after host", quoted(text)))
}

fn is_host_byte(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"!$&'()*+,;=:[]<>\"-_.~".contains(&byte)
}

/// Whether a host has valid characters only. Only non-ASCII bytes and `%` may be escaped.
fn fault_of_host_text(text: &str) -> Option<String> {
    fault_of_text(text, is_host_byte, |byte| !byte.is_ascii() || byte == b'%')
}

/// Whether a zone has valid characters only. Blanks, `%` and the ASCII characters of a host may be escaped.
fn fault_of_zone_text(text: &str) -> Option<String> {
    let may_be_escaped = |byte: u8| byte == b'%' || byte == b' ' || byte.is_ascii() && is_host_byte(byte);
    fault_of_text(text, is_host_byte, may_be_escaped)
}

/// The first byte that may not stand in a text, or may not be escaped.
fn fault_of_text(text: &str, may_stand: impl Fn(u8) -> bool, may_be_escaped: impl Fn(u8) -> bool) -> Option<String> {
    let bytes = text.as_bytes();
    let mut position = 0;
    while let Some(byte) = bytes.get(position) {
        if *byte == b'%' {
            if !escaped(&bytes[position + 1..]).is_some_and(&may_be_escaped) {
                let escape = &bytes[position..bytes.len().min(position + 3)];
                return Some(format!("invalid URL escape {}", quoted_bytes(escape)));
            }
            position += 3;
            continue;
        }
        if !may_stand(*byte) {
            return Some(format!("invalid character {} in host name", quoted_bytes(&[*byte])));
        }
        position += 1;
    }
    None
}

/// Bytes as Go quotes them: of a letter that is not complete, each one by itself.
fn quoted_bytes(bytes: &[u8]) -> String {
    let mut all = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        let valid = quoted(chunk.valid());
        all.push_str(&valid[1..valid.len() - 1]);
        chunk.invalid().iter().for_each(|byte| all.push_str(&format!("\\x{byte:02x}")));
    }
    all.push('"');
    all
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Url, fault_of_request_uri, fault_of_url, is_request_uri};

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

    /// The words are those of Go's own tests and code.
    #[rstest]
    #[case::empty("", "empty url")]
    #[case::relative("a", "invalid URI for request")]
    #[case::colon(":a", "missing protocol scheme")]
    #[case::control("/\t", "net/url: invalid control character in URL")]
    #[case::escape("/a%zz", "invalid URL escape \"%zz\"")]
    #[case::short_escape("/a%é", "invalid URL escape \"%é\"")]
    #[case::part_of_a_letter("/a%1é", "invalid URL escape \"%1\\xc3\"")]
    #[case::blank("http://a b/", "invalid character \" \" in host name")]
    #[case::port("http://a:b/", "invalid port \":b\" after host")]
    #[case::user("http://a é@b/", "net/url: invalid userinfo")]
    #[case::bracket("http://[::1/", "missing ']' in host")]
    #[case::inner_bracket("http://a[::1]/", "invalid IP-literal")]
    #[case::escaped_letter("http://%41/", "invalid URL escape \"%41\"")]
    fn faults_have_the_words_of_go(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(fault_of_request_uri(text).as_deref(), Some(expected));
    }

    #[rstest]
    #[case::empty("", None)]
    #[case::relative("a/b:c", None)]
    #[case::colon_in_the_first_segment("a b:c", Some("first path segment in URL cannot contain colon"))]
    #[case::escape("a%zz", Some("invalid URL escape \"%zz\""))]
    #[case::blank("http://a b/", Some("invalid character \" \" in host name"))]
    #[case::blank_without_a_scheme("//a b/", Some("invalid character \" \" in host name"))]
    #[case::three_slashes("///a b", None)]
    fn references_have_faults_of_their_own(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(fault_of_url(text).as_deref(), expected);
        assert_eq!(Url::parse(text).is_none(), expected.is_some());
    }
}
