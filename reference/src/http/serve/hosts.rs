//! The hosts under which a server may be addressed.
//!
//! A web page can send requests to any server that its browser reaches. Browsers keep it from reading the answers of
//! other sites, unless the name of its own site is made to resolve to the address of the server (DNS rebinding): then
//! `Host` is that name. So a server that asks for no credential accepts only names that no stranger can choose.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use http::uri::Authority;
use thiserror::Error;

/// The name or the address of a host, without a port. `parse` reads one; an IPv6 address may have brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host(Normal);

/// A host in its normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Normal {
    Address(IpAddr),
    /// In lower case, without a dot at its end.
    Name(String),
}

/// Something is not the name or the address of a host.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0:?} is not the name or the address of a host, such as crdible.internal or 10.0.0.1")]
pub struct InvalidHost(String);

impl FromStr for Host {
    type Err = InvalidHost;

    fn from_str(text: &str) -> Result<Self, InvalidHost> {
        let address = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        if let Ok(address) = address.parse::<IpAddr>() {
            return Ok(Self(Normal::Address(address.to_canonical())));
        }
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        let is_label = |label: &str| {
            let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            !label.is_empty() && label.bytes().all(letters)
        };
        if name.split('.').all(is_label) { Ok(Self(Normal::Name(name))) } else { Err(InvalidHost(text.to_owned())) }
    }
}

impl Host {
    fn is_loopback(&self) -> bool {
        match &self.0 {
            Normal::Address(address) => address.is_loopback(),
            Normal::Name(name) => name == "localhost",
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Normal::Address(address) => write!(f, "{address}"),
            Normal::Name(name) => f.write_str(name),
        }
    }
}

/// A host with a port, as in `Host` and in an origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) host: Host,
    /// `None` is the default port of the scheme.
    pub(crate) port: Option<u16>,
}

impl Site {
    /// Reads `host` or `host:port`; `None` if it is something else, such as a host with a user.
    pub(crate) fn parse(text: &str, is_tls: bool) -> Option<Self> {
        let authority: Authority = text.parse().ok()?;
        let host = authority.host().parse().ok()?;
        let port = match text.strip_prefix(authority.host())? {
            "" => None,
            port => Some(port.strip_prefix(':')?.parse().ok()?),
        };
        let default = if is_tls { 443 } else { 80 };
        Some(Self { host, port: port.filter(|port| *port != default) })
    }

    /// Reads an origin, such as `https://example.com:8443`.
    pub(crate) fn of_origin(origin: &str) -> Option<(bool, Self)> {
        let (scheme, site) = origin.split_once("://")?;
        let is_tls = match scheme {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        Self::parse(site, is_tls).map(|site| (is_tls, site))
    }
}

/// The hosts of a server.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    /// The address that it listens at.
    bound: IpAddr,
    /// Hosts that its user named.
    named: Vec<Host>,
}

impl Hosts {
    pub(crate) fn new(bound: IpAddr, named: Vec<Host>) -> Self {
        Self { bound: bound.to_canonical(), named }
    }

    /// Whether a request may be for this host. `local` is the address at which its connection arrived, which counts if
    /// the server listens at all addresses.
    pub(crate) fn accept(&self, host: &Host, local: Option<IpAddr>) -> bool {
        let is_own = |address: &IpAddr| {
            *address == self.bound
                || (self.bound.is_unspecified() && local.is_some_and(|local| local.to_canonical() == *address))
        };
        let is_address = matches!(&host.0, Normal::Address(address) if is_own(address));
        host.is_loopback() || is_address || self.is_named(host)
    }

    /// Whether the user of the server named this host.
    pub(crate) fn is_named(&self, host: &Host) -> bool {
        self.named.contains(host)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn accepts(bound: &str, named: &[&str], host: &str) -> bool {
        let named = named.iter().map(|name| name.parse().expect("a host")).collect();
        let hosts = Hosts::new(bound.parse().expect("an address"), named);
        let local = "10.1.2.3".parse().ok();
        Site::parse(host, false).is_some_and(|site| hosts.accept(&site.host, local))
    }

    #[rstest]
    #[case::name("localhost", true)]
    #[case::name_with_a_port("localhost:8001", true)]
    #[case::any_case("LocalHost:1", true)]
    #[case::absolute_name("localhost.:80", true)]
    #[case::address("127.0.0.1", true)]
    #[case::other_loopback_address("127.9.8.7:65535", true)]
    #[case::version_6("[::1]", true)]
    #[case::version_6_with_a_port("[::1]:8001", true)]
    #[case::long_version_6("[0:0:0:0:0:0:0:1]:8001", true)]
    #[case::version_4_in_6("[::ffff:127.0.0.1]:8001", true)]
    #[case::name_of_a_page("evil.example", false)]
    #[case::name_of_a_page_with_a_port("evil.example:8001", false)]
    #[case::begins_alike("localhost.evil.example", false)]
    #[case::ends_alike("evil-localhost", false)]
    #[case::address_in_a_name("127.0.0.1.nip.io", false)]
    #[case::address_with_a_dot("127.0.0.1.", false)]
    #[case::user("localhost@evil.example", false)]
    #[case::user_of_localhost("evil.example@localhost", false)]
    #[case::other_address("10.1.2.3", false)]
    #[case::no_brackets("::1", false)]
    #[case::no_port("localhost:", false)]
    #[case::large_port("localhost:65536", false)]
    #[case::path("localhost/x", false)]
    #[case::nothing("", false)]
    #[case::a_dot(".", false)]
    #[case::a_list("localhost,evil.example", false)]
    #[case::a_number("2130706433", false)]
    fn a_server_on_loopback_has_only_its_own_names(#[case] host: &str, #[case] accepted: bool) {
        assert_eq!(accepts("127.0.0.1", &[], host), accepted);
    }

    #[rstest]
    #[case::its_address("10.1.2.3", "10.1.2.3:8001", true)]
    #[case::another_address("10.1.2.4", "10.1.2.3:8001", false)]
    #[case::all_addresses("0.0.0.0", "10.1.2.3:8001", true)]
    #[case::all_addresses_of_version_6("::", "10.1.2.3:8001", true)]
    #[case::all_addresses_as_written("0.0.0.0", "0.0.0.0:8001", true)]
    #[case::another_address_than_that_of_the_connection("0.0.0.0", "10.1.2.4:8001", false)]
    #[case::loopback("10.1.2.3", "localhost:8001", true)]
    #[case::name("0.0.0.0", "crdible:8001", false)]
    fn the_address_of_a_server_is_accepted(#[case] bound: &str, #[case] host: &str, #[case] accepted: bool) {
        assert_eq!(accepts(bound, &[], host), accepted);
    }

    #[rstest]
    #[case("crdible", true)]
    #[case("crdible:8001", true)]
    #[case("CRDIBLE.", true)]
    #[case("other", false)]
    #[case("sub.crdible", false)]
    #[case("[2001:db8::1]:80", true)]
    #[case("10.0.0.9", true)]
    #[case("localhost", true)]
    fn named_hosts_are_accepted(#[case] host: &str, #[case] accepted: bool) {
        assert_eq!(accepts("127.0.0.1", &["Crdible", "2001:DB8::1", "10.0.0.9"], host), accepted);
    }

    #[rstest]
    #[case("http://localhost:8001", Some((false, "localhost", Some(8001))))]
    #[case("http://localhost:80", Some((false, "localhost", None)))]
    #[case("https://LOCALHOST:443", Some((true, "localhost", None)))]
    #[case("https://localhost:80", Some((true, "localhost", Some(80))))]
    #[case("http://[::1]", Some((false, "::1", None)))]
    #[case("null", None)]
    #[case("", None)]
    #[case("*", None)]
    #[case("file://", None)]
    #[case("chrome-extension://abcdef", None)]
    #[case("http://localhost/", None)]
    #[case("http://a@localhost", None)]
    #[case("localhost:80", None)]
    fn origins(#[case] origin: &str, #[case] expected: Option<(bool, &str, Option<u16>)>) {
        let read = Site::of_origin(origin).map(|(is_tls, site)| (is_tls, site.host.to_string(), site.port));
        assert_eq!(read, expected.map(|(is_tls, host, port)| (is_tls, host.to_owned(), port)));
    }

    #[rstest]
    #[case("localhost:80")]
    #[case("http://a")]
    #[case("*")]
    #[case("")]
    #[case("a..b")]
    #[case("a b")]
    fn what_is_no_host_is_refused(#[case] text: &str) {
        assert_eq!(text.parse::<Host>(), Err(InvalidHost(text.to_owned())));
    }
}
