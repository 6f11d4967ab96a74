//! Addresses of servers: parsing them, and printing them without secrets.

use std::net::{IpAddr, Ipv6Addr};

use http::Uri;
use http::uri::{Authority, PathAndQuery, Scheme};

/// The base URL of a server: scheme, host, port, and a path that prefixes the path of every request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    origin: Origin,
    /// Without a slash at the end.
    path: String,
}

/// The scheme, host and port of an HTTP URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    is_tls: bool,
    /// The host and, unless it is the scheme's default, the port.
    authority: Authority,
    port: u16,
}

/// Why a text is not an HTTP URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Invalid {
    /// It has no scheme, or another one than `http` and `https`.
    Scheme,
    /// A part of it is invalid.
    Part(String),
}

/// The parts of an HTTP URL.
pub(super) struct Parts<'t> {
    pub(super) origin: Origin,
    /// What precedes the `@`.
    pub(super) user_info: Option<&'t str>,
    /// Path, query and fragment.
    pub(super) rest: &'t str,
}

impl Address {
    /// Parses a base URL.
    ///
    /// # Errors
    /// A sentence that does not show the user information: the scheme is missing or is neither `http` nor `https`, the
    /// host or port is invalid, or there is user information, a query or a fragment.
    pub fn parse(text: &str) -> Result<Self, String> {
        let shown = redact(text);
        let invalid = |why: &str| {
            format!("{shown} is not a valid URL ({why}): write it as https://HOST:PORT or http://HOST:PORT")
        };
        let parts = split(text).map_err(|error| match error {
            Invalid::Scheme => {
                format!("{shown} is not an HTTP URL: write it as https://HOST:PORT or http://HOST:PORT")
            }
            Invalid::Part(why) => invalid(&why),
        })?;
        if parts.user_info.is_some_and(|info| !matches!(info, "" | ":")) {
            return Err(format!(
                "{shown} contains a user name or password, which API servers do not \
                 accept in a URL: use --token, a client certificate or a kubeconfig"
            ));
        }
        if parts.rest.contains(['?', '#']) {
            return Err(format!("{shown} has a query or a fragment: specify only scheme, host, port and path"));
        }
        let path = parts.rest.trim_end_matches('/');
        if !path.is_empty() && PathAndQuery::try_from(path).is_err() {
            return Err(invalid("invalid character in the path"));
        }
        Ok(Self { origin: parts.origin, path: path.to_owned() })
    }

    /// The address for messages. It contains no secrets.
    pub fn shown(&self) -> String {
        format!("{}{}", self.origin.shown(), self.path)
    }

    /// Whether the scheme is `https`.
    pub fn is_tls(&self) -> bool {
        self.origin.is_tls
    }

    /// The host as in a URL, with an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        self.origin.host()
    }

    /// The port, which may be the default of the scheme.
    pub fn port(&self) -> u16 {
        self.origin.port
    }

    /// The host and, unless it is the scheme's default, the port: the value of the `Host` header.
    pub fn authority(&self) -> String {
        self.origin.authority.as_str().to_owned()
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The absolute URL of a request for `path`.
    ///
    /// # Errors
    /// Why the URL is invalid.
    pub(super) fn url(&self, path: &PathAndQuery) -> Result<Uri, String> {
        let path = if self.path.is_empty() {
            path.clone()
        } else if path.path() == "/" {
            // The base path itself, which need not end in a slash.
            let query = path.query().map(|query| format!("?{query}")).unwrap_or_default();
            PathAndQuery::try_from(format!("{}{query}", self.path)).map_err(|error| error.to_string())?
        } else {
            PathAndQuery::try_from(format!("{}{path}", self.path)).map_err(|error| error.to_string())?
        };
        let mut parts = http::uri::Parts::default();
        parts.scheme = Some(self.origin.scheme());
        parts.authority = Some(self.origin.authority.clone());
        parts.path_and_query = Some(path);
        Uri::from_parts(parts).map_err(|error| error.to_string())
    }
}

impl Origin {
    /// The scheme, host and port as a URL.
    pub(super) fn shown(&self) -> String {
        format!("{}://{}", self.scheme(), self.authority)
    }

    fn scheme(&self) -> Scheme {
        if self.is_tls { Scheme::HTTPS } else { Scheme::HTTP }
    }

    pub(super) fn is_tls(&self) -> bool {
        self.is_tls
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// The host as in a URL, with an IPv6 address in brackets.
    pub(super) fn host(&self) -> &str {
        self.authority.host()
    }

    /// The host as a name or an IP address, without brackets.
    pub(super) fn name(&self) -> &str {
        self.host().trim_matches(['[', ']'])
    }
}

/// Splits an HTTP URL.
pub(super) fn split(text: &str) -> Result<Parts<'_>, Invalid> {
    let part = |why: &str| Invalid::Part(why.to_owned());
    let (scheme, rest) = text.trim().split_once("://").ok_or(Invalid::Scheme)?;
    let is_tls = match scheme.to_ascii_lowercase().as_str() {
        "http" => false,
        "https" => true,
        _ => return Err(Invalid::Scheme),
    };
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user_info, authority) = match authority.rsplit_once('@') {
        Some((info, authority)) => (Some(info), authority),
        None => (None, authority),
    };
    let end_of_host = if authority.starts_with('[') {
        authority.find(']').ok_or_else(|| part("invalid IPv6 address"))? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, port) = authority.split_at(end_of_host);
    if host.is_empty() {
        return Err(part("the host is missing"));
    }
    if host.starts_with('[') && host.trim_matches(['[', ']']).parse::<Ipv6Addr>().is_err() {
        return Err(part("invalid IPv6 address"));
    }
    let default = if is_tls { 443 } else { 80 };
    let port = match port.strip_prefix(':') {
        None if !port.is_empty() => return Err(part("invalid port")),
        None | Some("") => default,
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            digits.parse().map_err(|_| part("invalid port"))?
        }
        Some(_) => return Err(part("invalid port")),
    };
    let host = host.to_ascii_lowercase();
    let authority = if port == default { host } else { format!("{host}:{port}") };
    let authority = Authority::try_from(authority).map_err(|_| part("invalid character in the host"))?;
    let name = authority.host().trim_matches(['[', ']']);
    if name.parse::<IpAddr>().is_err() && !name.bytes().all(is_of_a_name) {
        return Err(part("invalid character in the host"));
    }
    Ok(Parts { origin: Origin { is_tls, authority, port }, user_info, rest })
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')
}

/// `text` without user information, query and fragment, even if it is not a URL.
///
/// Everything before the last `@` counts as user information, so that no part of a password is shown.
pub fn redact(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, behind)| behind);
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    if scheme.is_empty() || !scheme.chars().all(|letter| letter.is_ascii_alphanumeric()) {
        rest.to_owned()
    } else {
        format!("{scheme}://{rest}")
    }
}
