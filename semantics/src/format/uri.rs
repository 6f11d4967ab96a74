//! `uri`: what can stand in the first line of an HTTP request, or has a scheme.

use std::net::Ipv6Addr;

/// The parts of a URL that rules speak of.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    pub(crate) scheme: &'a str,
    /// Whether there is user information, also an empty one.
    pub(crate) has_user: bool,
    pub(crate) host: &'a str,
    pub(crate) query: &'a str,
    pub(crate) fragment: &'a str,
}

/// The parts of a URL or a reference to one, as Go's `url.Parse` takes them; `None` if it does not parse.
pub(crate) fn parts(text: &str) -> Option<Parts<'_>> {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    if text.bytes().any(|byte| byte.is_ascii_control()) || !is_escaped(fragment) {
        return None;
    }
    let (scheme, rest) = scheme(text)?;
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let without_authority = Parts { scheme, has_user: false, host: "", query, fragment };
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
    let (has_user, host) = authority.rsplit_once('@').map_or((false, authority), |(_, host)| (true, host));
    (is_authority(scheme, authority) && is_escaped(path)).then_some(Parts { has_user, host, ..without_authority })
}

/// Whether it is a URL or an absolute path, as Go's `url.ParseRequestURI` takes them.
pub(crate) fn is_uri(text: &str) -> bool {
    if text.is_empty() || text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    if text == "*" {
        return true;
    }
    let Some((scheme, rest)) = scheme(text) else {
        return false;
    };
    // The query may hold anything.
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

/// The scheme, empty if there is none, and the rest; `None` if there is a colon without a scheme.
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

/// Whether each `%` begins a pair of hexadecimal digits.
fn is_escaped(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| escaped(rest).is_some())
}

/// The byte that the two digits stand for.
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
            // Several colons are for lists of hosts, which the web does not have.
            let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            let colon = if is_web { first } else { host.rfind(':') };
            let port = colon.map_or("", |colon| &host[colon..]);
            is_port(port) && is_host_text(host)
        }
    }
}

/// `[::1]:80`, perhaps with a zone behind `%25`.
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
    // An escape in the address itself would have to be of a byte beyond ASCII.
    is_zone && address.parse::<Ipv6Addr>().is_ok()
}

fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_host_byte(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"!$&'()*+,;=:[]<>\"-_.~".contains(&byte)
}

/// The characters of a host; only bytes beyond ASCII and `%` itself may be escaped.
fn is_host_text(text: &str) -> bool {
    is_text(text, |byte| !byte.is_ascii() || byte == b'%')
}

/// The characters of a zone; what a host may hold, and blanks, may be escaped.
fn is_zone_text(text: &str) -> bool {
    is_text(text, |byte| byte == b'%' || byte == b' ' || byte.is_ascii() && is_host_byte(byte))
}

fn is_text(text: &str, may_be_escaped: impl Fn(u8) -> bool) -> bool {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default();
    first.bytes().all(is_host_byte)
        && parts.all(|part| escaped(part).is_some_and(&may_be_escaped) && part.bytes().skip(2).all(is_host_byte))
}
