//! Where the target reaches the webhooks.

use std::{net::SocketAddr, str::FromStr};

/// How the webhooks of a run are reached by a target that is not in process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookOptions {
    /// The address to listen on. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The name or address under which the target reaches it, if that is not the address of the listener.
    pub host: Option<String>,
    /// The service by which the target reaches it, in place of a URL.
    pub service: Option<ServiceReference>,
    /// Whether the target must be able to reach it: it is on the same machine, or the user
    /// said how. If it cannot, that counts against it.
    pub is_expected: bool,
}

/// Loopback, for a target on the same machine.
impl Default for WebhookOptions {
    fn default() -> Self {
        Self { listen: SocketAddr::from(([127, 0, 0, 1], 0)), host: None, service: None, is_expected: true }
    }
}

impl WebhookOptions {
    /// The names for which the certificate of the listener must be valid.
    pub(super) fn names(&self, address: SocketAddr) -> Vec<String> {
        let mut names = vec![self.host.clone().unwrap_or_else(|| address.ip().to_string())];
        names.extend(self.service.as_ref().map(ServiceReference::host));
        names
    }

    /// The host and port of the URL.
    pub(super) fn authority(&self, address: SocketAddr) -> String {
        match &self.host {
            Some(host) if host.contains(':') => format!("[{host}]:{}", address.port()),
            Some(host) => format!("{host}:{}", address.port()),
            None => address.to_string(),
        }
    }
}

/// A service of the cluster that leads to the listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceReference {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Its port.
    pub port: u16,
}

impl ServiceReference {
    /// The host name by which an API server connects to it.
    pub fn host(&self) -> String {
        format!("{}.{}.svc", self.name, self.namespace)
    }
}

/// `NAMESPACE/NAME:PORT`; the port is 443 if it is omitted.
impl FromStr for ServiceReference {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a service; write NAMESPACE/NAME:PORT, such as tests/crdible:443");
        let (namespace, rest) = text.split_once('/').ok_or_else(wrong)?;
        let (name, port) = match rest.split_once(':') {
            Some((name, port)) => (name, port.parse().map_err(|_| wrong())?),
            None => (rest, 443),
        };
        let is_label = |label: &str| {
            !label.is_empty()
                && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        if !is_label(namespace) || !is_label(name) || port == 0 {
            return Err(wrong());
        }
        Ok(Self { namespace: namespace.to_owned(), name: name.to_owned(), port })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{ServiceReference, WebhookOptions};

    #[rstest]
    #[case("tests/crdible:8443", Ok(("crdible.tests.svc", 8443)))]
    #[case("tests/crdible", Ok(("crdible.tests.svc", 443)))]
    #[case("crdible:443", Err(()))]
    #[case("tests/crdible:x", Err(()))]
    #[case("tests/crdible:0", Err(()))]
    #[case("Tests/crdible", Err(()))]
    #[case("tests/", Err(()))]
    fn services(#[case] text: &str, #[case] expected: Result<(&str, u16), ()>) {
        match (text.parse::<ServiceReference>(), expected) {
            (Ok(service), Ok(expected)) => assert_eq!((service.host().as_str(), service.port), expected),
            (Err(error), Err(())) => assert!(error.contains("NAMESPACE/NAME:PORT"), "{error}"),
            (parsed, _) => panic!("{parsed:?}"),
        }
    }

    #[rstest]
    #[case(None, "127.0.0.1:99", "127.0.0.1")]
    #[case(Some("me.example"), "me.example:99", "me.example")]
    #[case(Some("fd00::1"), "[fd00::1]:99", "fd00::1")]
    fn urls_name_the_host(#[case] host: Option<&str>, #[case] authority: &str, #[case] name: &str) {
        let options = WebhookOptions { host: host.map(str::to_owned), ..WebhookOptions::default() };
        let address = "127.0.0.1:99".parse().expect("an address");
        assert_eq!((options.authority(address).as_str(), options.names(address)), (authority, vec![name.to_owned()]));
    }
}
