//! Where a call goes.

use std::collections::HashMap;

use http::Uri;
use http::uri::Scheme;

/// Where calls of a service go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Override {
    is_secure: bool,
    host: String,
    port: u16,
    /// What precedes the path of the definition; without a slash at its end.
    path: String,
}

impl Override {
    /// The error says what is wrong with a URL.
    pub(super) fn parse(url: &str) -> Result<Self, &'static str> {
        let uri: Uri = url.parse().map_err(|_| "it cannot be parsed")?;
        let is_secure = is_secure(&uri)?;
        if uri.query().is_some() {
            return Err("it has a query");
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err("it has user information");
        }
        let host = host(&uri).ok_or("it has no host")?;
        let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        Ok(Self { is_secure, host, port, path: uri.path().trim_end_matches('/').to_owned() })
    }
}

/// Where a call goes, and whom it expects there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// Whether TLS is spoken.
    pub(super) is_secure: bool,
    /// The host and the port to which a connection is made.
    pub(super) host: String,
    pub(super) port: u16,
    /// The name in the certificate.
    pub(super) name: String,
    /// Another name that is just as good.
    pub(super) other_name: Option<String>,
    /// The `Host` header.
    pub(super) authority: String,
    /// The path and the query.
    pub(super) path: String,
}

impl Address {
    /// The address of a URL; of a service, where it is said to be.
    pub(super) fn of(url: &str, overrides: &HashMap<String, Override>) -> Result<Self, String> {
        let invalid = |problem: &str| format!("{url:?} cannot be called: {problem}");
        let uri: Uri = url.parse().map_err(|_| invalid("it cannot be parsed"))?;
        let is_secure = is_secure(&uri).map_err(invalid)?;
        let name = host(&uri).ok_or_else(|| invalid("it has no host"))?;
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let authority = uri.authority().map_or_else(String::new, ToString::to_string);
        let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        if let Some(place) = overrides.get(&name) {
            return Ok(Self {
                is_secure: place.is_secure,
                host: place.host.clone(),
                port: place.port,
                other_name: Some(place.host.clone()),
                name,
                authority,
                path: format!("{}{path}", place.path),
            });
        }
        if let Some((service, namespace)) = name.strip_suffix(".svc").and_then(|rest| rest.split_once('.')) {
            return Err(format!(
                "service {service:?} not found: there is no cluster; \
                 --webhook-override {namespace}/{service}=URL tells where its webhook is"
            ));
        }
        let path = path.to_owned();
        Ok(Self { is_secure, host: name.clone(), port, name, other_name: None, authority, path })
    }
}

fn is_secure(uri: &Uri) -> Result<bool, &'static str> {
    match uri.scheme() {
        Some(scheme) if *scheme == Scheme::HTTPS => Ok(true),
        Some(scheme) if *scheme == Scheme::HTTP => Ok(false),
        _ => Err("it must begin with https://"),
    }
}

/// The host, without the brackets of an IPv6 address.
fn host(uri: &Uri) -> Option<String> {
    let host = uri.host()?.trim_start_matches('[').trim_end_matches(']');
    (!host.is_empty()).then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn overrides() -> HashMap<String, Override> {
        let place = Override::parse("https://localhost:9443/base/").expect("a URL");
        HashMap::from([("hook.ns.svc".to_owned(), place)])
    }

    #[test]
    fn a_url_is_where_it_says() {
        let address = Address::of("https://[::1]:8443/p?timeout=30s", &overrides()).expect("an address");
        assert_eq!((address.host.as_str(), address.port, address.name.as_str()), ("::1", 8443, "::1"));
        assert_eq!((address.authority.as_str(), address.path.as_str()), ("[::1]:8443", "/p?timeout=30s"));
    }

    #[test]
    fn a_service_is_where_it_was_told_to_be() {
        let address = Address::of("https://hook.ns.svc:443/p?timeout=30s", &overrides()).expect("an address");
        assert_eq!((address.host.as_str(), address.port), ("localhost", 9443));
        assert_eq!((address.name.as_str(), address.other_name.as_deref()), ("hook.ns.svc", Some("localhost")));
        assert_eq!((address.authority.as_str(), address.path.as_str()), ("hook.ns.svc:443", "/base/p?timeout=30s"));
        let missing = Address::of("https://other.ns.svc:443/p", &overrides()).expect_err("no address");
        assert!(missing.contains("service \"other\" not found") && missing.contains("ns/other=URL"), "{missing}");
    }

    #[rstest]
    #[case("ftp://h")]
    #[case("localhost:9443")]
    #[case("https://h?q")]
    #[case("https://u:p@h")]
    #[case("https://")]
    fn these_are_no_urls_of_webhooks(#[case] url: &str) {
        assert!(Override::parse(url).is_err());
    }
}
