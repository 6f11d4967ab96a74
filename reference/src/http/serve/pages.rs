//! Keeps web pages out: requests that a page of another site can make a browser send.
//!
//! Only a request that needs no credential, or one that the browser adds itself, may come from such a page. So with a
//! bearer token nothing is checked; with client certificates, which browsers present for any page, `Origin` is; without
//! a credential, `Host` is, too.

use std::net::IpAddr;

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName, Method, Request, Uri, Version};

use super::hosts::{Hosts, Site};
use crate::base::status::Failure;
use crate::http::access::Authentication;

/// Tells from which site a request comes; browsers send it also where they send no `Origin`.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Tells for what a request is made.
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// What a user can do about a refusal.
const ADVICE: &str =
    "allow the host with `crdible serve --accept-host NAME` or `Endpoint::accept_host`, or require a token";

/// What is checked of requests.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    hosts: Hosts,
    checks: Checks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Checks {
    Nothing,
    Origin,
    HostAndOrigin,
}

/// Why a request is refused.
#[derive(Debug)]
pub(super) enum Refused {
    /// The request does not say for which host it is: 400 in plain text, as every HTTP server answers.
    Malformed(&'static str),
    /// 403.
    Forbidden(Failure),
}

/// Where a request arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// The server's address of the connection, if it is known.
    pub(super) local: Option<IpAddr>,
    pub(super) is_tls: bool,
}

impl Pages {
    pub(super) fn new(hosts: Hosts, authentication: Authentication) -> Self {
        let checks = match authentication {
            Authentication::None => Checks::HostAndOrigin,
            Authentication::ClientCertificate => Checks::Origin,
            Authentication::Token => Checks::Nothing,
        };
        Self { hosts, checks }
    }

    /// Refuses a request without a valid host, and one that a page of another site may have caused.
    pub(super) fn admit<B>(&self, request: &Request<B>, arrival: Arrival) -> Result<(), Refused> {
        let named = named_hosts(request.version(), request.uri(), request.headers()).map_err(Refused::Malformed)?;
        if self.checks == Checks::Nothing {
            return Ok(());
        }
        let sites: Vec<Option<Site>> = named.iter().map(|host| Site::parse(host, arrival.is_tls)).collect();
        if self.checks == Checks::HostAndOrigin {
            let accepts =
                |site: &Option<Site>| site.as_ref().is_some_and(|site| self.hosts.accept(&site.host, arrival.local));
            if let Some(at) = sites.iter().position(|site| !accepts(site)) {
                let host = named[at];
                let why = format!("host {host:?} is not accepted by a server that requires no credential: {ADVICE}");
                return Err(Refused::Forbidden(Failure::forbidden_path(why)));
            }
        }
        match self.stranger(request, &sites, arrival.is_tls) {
            None => Ok(()),
            Some(stranger) => {
                let why = format!("the request is from a web page of {stranger}: {ADVICE}");
                Err(Refused::Forbidden(Failure::forbidden_path(why)))
            }
        }
    }

    /// The other site whose page caused the request, if there is one.
    fn stranger<B>(&self, request: &Request<B>, own: &[Option<Site>], is_tls: bool) -> Option<String> {
        let headers = request.headers();
        let mut origins = headers.get_all(ORIGIN).iter().peekable();
        if origins.peek().is_none() {
            return (comes_from_elsewhere(headers) && !is_followed_link(request)).then(|| "another site".to_owned());
        }
        let is_own = |origin: &str| {
            let Some((scheme, site)) = Site::of_origin(origin) else { return false };
            self.hosts.is_named(&site.host) || (scheme == is_tls && own.iter().flatten().any(|own| *own == site))
        };
        let stranger = origins.find(|origin| !origin.to_str().is_ok_and(is_own))?;
        Some(format!("{:?}", String::from_utf8_lossy(stranger.as_bytes())))
    }
}

/// The hosts that a request names, in its target and in `Host`; at least one, except over HTTP/1.0. The error says what
/// is wrong, in upstream's words.
fn named_hosts<'r>(version: Version, uri: &'r Uri, headers: &'r HeaderMap) -> Result<Vec<&'r str>, &'static str> {
    let mut named: Vec<&str> = uri.authority().map(http::uri::Authority::as_str).into_iter().collect();
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(_), Some(_)) => return Err("too many Host headers"),
        (Some(host), None) => {
            let host = host.to_str().ok().filter(|host| host.bytes().all(may_be_in_host));
            named.push(host.ok_or("malformed Host header")?);
        }
        // HTTP/1.0 has no `Host`, and no browser sends it.
        (None, _) if named.is_empty() && version > Version::HTTP_10 => return Err("missing required Host header"),
        (None, _) => {}
    }
    Ok(named)
}

fn may_be_in_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!$%&'()*+,-.:;=[]_~".contains(&byte)
}

fn comes_from_elsewhere(headers: &HeaderMap) -> bool {
    headers.get_all(FETCH_SITE).iter().any(|site| *site == "cross-site" || *site == "same-site")
}

/// Whether the user of a browser followed a link, so that the answer is shown and no page reads it.
fn is_followed_link<B>(request: &Request<B>) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD)
        && request.headers().get(FETCH_MODE).is_some_and(|mode| mode == "navigate")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const ARRIVAL: Arrival = Arrival { local: None, is_tls: false };

    fn pages(authentication: Authentication) -> Pages {
        let bound = "127.0.0.1".parse().expect("an address");
        Pages::new(Hosts::new(bound, vec!["named".parse().expect("a host")]), authentication)
    }

    fn request(version: Version, target: &str, headers: &[(&str, &str)]) -> Request<()> {
        let request = Request::post(target).version(version);
        headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, *value))
            .body(())
            .expect("a request")
    }

    /// The code of the refusal, and its text.
    fn refused(pages: &Pages, request: &Request<()>, arrival: Arrival) -> Option<(u16, String)> {
        match pages.admit(request, arrival) {
            Ok(()) => None,
            Err(Refused::Malformed(text)) => Some((400, text.to_owned())),
            Err(Refused::Forbidden(failure)) => Some((failure.code, failure.message)),
        }
    }

    #[rstest]
    #[case::usual(Version::HTTP_11, "/", &[("host", "localhost:1")], None)]
    #[case::authority(Version::HTTP_2, "http://localhost:1/", &[], None)]
    #[case::absolute_target(Version::HTTP_11, "http://localhost:1/", &[("host", "127.0.0.1:1")], None)]
    #[case::strange_host(Version::HTTP_11, "/", &[("host", "evil.example:1")], Some((403, "\"evil.example:1\"")))]
    #[case::strange_authority(Version::HTTP_2, "http://evil.example/", &[], Some((403, "evil.example")))]
    #[case::strange_target(Version::HTTP_11, "http://evil.example/", &[("host", "localhost")], Some((403, "evil.example")))]
    #[case::strange_host_behind_an_authority(
        Version::HTTP_2,
        "http://localhost/",
        &[("host", "evil.example")],
        Some((403, "evil.example")),
    )]
    #[case::empty(Version::HTTP_11, "/", &[("host", "")], Some((403, "\"\"")))]
    #[case::missing(Version::HTTP_11, "/", &[], Some((400, "missing required Host header")))]
    #[case::missing_in_http_2(Version::HTTP_2, "/", &[], Some((400, "missing required Host header")))]
    #[case::missing_in_http_1_0(Version::HTTP_10, "/", &[], None)]
    #[case::strange_in_http_1_0(Version::HTTP_10, "/", &[("host", "evil.example")], Some((403, "evil.example")))]
    #[case::two(Version::HTTP_11, "/", &[("host", "localhost"), ("host", "localhost")], Some((400, "too many Host headers")))]
    #[case::malformed(Version::HTTP_11, "/", &[("host", "local host")], Some((400, "malformed Host header")))]
    fn hosts_are_checked(
        #[case] version: Version,
        #[case] target: &str,
        #[case] headers: &[(&str, &str)],
        #[case] expected: Option<(u16, &str)>,
    ) {
        let answer = refused(&pages(Authentication::None), &request(version, target, headers), ARRIVAL);
        assert_eq!(answer.as_ref().map(|(code, _)| *code), expected.map(|(code, _)| code), "{answer:?}");
        let text = answer.map(|(_, text)| text).unwrap_or_default();
        assert!(text.contains(expected.map_or("", |(_, text)| text)), "{text}");
        assert_eq!(text.contains("--accept-host"), expected.is_some_and(|(code, _)| code == 403), "{text}");
    }

    #[rstest]
    #[case::own("http://localhost:1", None)]
    #[case::own_in_capitals("http://LOCALHOST:1", None)]
    #[case::named_host("http://named:3000", None)]
    #[case::another_site("http://evil.example", Some(403))]
    #[case::another_port("http://localhost:2", Some(403))]
    #[case::default_port("http://localhost", Some(403))]
    #[case::another_scheme("https://localhost:1", Some(403))]
    #[case::another_name_of_the_machine("http://127.0.0.1:1", Some(403))]
    #[case::opaque("null", Some(403))]
    #[case::any("*", Some(403))]
    #[case::empty("", Some(403))]
    #[case::two("http://localhost:1 http://localhost:1", Some(403))]
    fn origins_are_checked(#[case] origin: &str, #[case] expected: Option<u16>) {
        let sent = request(Version::HTTP_11, "/", &[("host", "localhost:1"), ("origin", origin)]);
        for (authentication, expected) in [
            (Authentication::None, expected),
            (Authentication::ClientCertificate, expected),
            (Authentication::Token, None),
        ] {
            let answer = refused(&pages(authentication), &sent, ARRIVAL);
            assert_eq!(answer.as_ref().map(|(code, _)| *code), expected, "{authentication:?}: {answer:?}");
        }
    }

    #[test]
    fn each_origin_counts() {
        let origins = [("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://evil.example")];
        let answer = refused(&pages(Authentication::None), &request(Version::HTTP_11, "/", &origins), ARRIVAL);
        assert!(answer.is_some_and(|(code, text)| code == 403 && text.contains("evil.example")));
    }

    #[test]
    fn the_scheme_of_an_origin_is_that_of_the_connection() {
        let own = [("host", "localhost"), ("origin", "https://localhost")];
        let pages = pages(Authentication::None);
        assert!(refused(&pages, &request(Version::HTTP_11, "/", &own), ARRIVAL).is_some());
        let secured = Arrival { is_tls: true, ..ARRIVAL };
        assert_eq!(refused(&pages, &request(Version::HTTP_11, "/", &own), secured), None);
        let default_port = [("host", "localhost:443"), ("origin", "https://localhost")];
        assert_eq!(refused(&pages, &request(Version::HTTP_11, "/", &default_port), secured), None);
    }

    #[rstest]
    #[case::token(Authentication::Token)]
    #[case::certificate(Authentication::ClientCertificate)]
    fn with_a_credential_any_host_is_accepted_if_it_is_one(#[case] authentication: Authentication) {
        let pages = pages(authentication);
        assert_eq!(refused(&pages, &request(Version::HTTP_11, "/", &[("host", "a.b")]), ARRIVAL), None);
        assert!(refused(&pages, &request(Version::HTTP_11, "/", &[]), ARRIVAL).is_some_and(|(code, _)| code == 400));
    }

    #[rstest]
    #[case::image("GET", "cross-site", "no-cors", Some(403))]
    #[case::page_on_another_port("GET", "same-site", "no-cors", Some(403))]
    #[case::followed_link("GET", "cross-site", "navigate", None)]
    #[case::form("POST", "cross-site", "navigate", Some(403))]
    #[case::own_page("GET", "same-origin", "cors", None)]
    #[case::typed("GET", "none", "navigate", None)]
    fn requests_without_an_origin_are_judged_by_what_browsers_say(
        #[case] method: &str,
        #[case] site: &str,
        #[case] mode: &str,
        #[case] expected: Option<u16>,
    ) {
        let headers = [("host", "localhost"), ("sec-fetch-site", site), ("sec-fetch-mode", mode)];
        let mut sent = request(Version::HTTP_11, "/", &headers);
        *sent.method_mut() = method.parse().expect("a method");
        assert_eq!(refused(&pages(Authentication::None), &sent, ARRIVAL).map(|(code, _)| code), expected);
    }
}
