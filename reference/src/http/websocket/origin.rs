//! The values of `Origin` that upstream accepts: those that Go's `url.ParseRequestURI` parses. The host does not
//! matter.

/// Whether a text is a request URI: an absolute URI, a path, or `*`.
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = split_scheme(text) else { return false };
    let Some(rest) = rest.strip_prefix("//").filter(|_| scheme) else {
        return scheme || rest.starts_with('/') || rest == "*";
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    is_authority(authority) && has_valid_escapes(path.split('?').next().unwrap_or_default())
}

/// Splits off the scheme; the flag says whether there is one. `None` if the scheme before a colon is empty.
fn split_scheme(text: &str) -> Option<(bool, &str)> {
    let end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.')));
    match end {
        Some(0) if text.starts_with(':') => None,
        Some(end) if text[end..].starts_with(':') && text.starts_with(|letter: char| letter.is_ascii_alphabetic()) => {
            Some((true, &text[end + 1..]))
        }
        _ => Some((false, text)),
    }
}

fn is_authority(authority: &str) -> bool {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (name, port) = match host.strip_prefix('[') {
        Some(address) => match address.split_once(']') {
            Some((_, rest)) => ("", rest),
            None => return false,
        },
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    is_port && !name.contains([' ', '"', '<', '>', '\\', '^', '`', '{', '|', '}', '%'])
}

fn has_valid_escapes(path: &str) -> bool {
    path.split('%').skip(1).all(|rest| rest.len() >= 2 && rest.bytes().take(2).all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_uri;

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case("http://x", true)]
    #[case("HTTP://X", true)]
    #[case("https://example.com:6443", true)]
    #[case("http://u:p@h/", true)]
    #[case("http://[::1]:80", true)]
    #[case("http://", true)]
    #[case("http:///x?y#z", true)]
    #[case("file:///x", true)]
    #[case("a+b://x", true)]
    #[case("x:y", true)]
    #[case("example.com:80", true)]
    #[case("/a", true)]
    #[case("//x", true)]
    #[case("*", true)]
    #[case("", false)]
    #[case("null", false)]
    #[case("example.com", false)]
    #[case("1.2.3.4:80", false)]
    #[case(":x", false)]
    #[case("-a://b", false)]
    #[case("http://x:abc", false)]
    #[case("http://[::1", false)]
    #[case("http://a b", false)]
    #[case("http://a%zz", false)]
    fn rest_075_origins(#[case] origin: &str, #[case] expected: bool) {
        assert_eq!(is_uri(origin), expected);
    }
}
