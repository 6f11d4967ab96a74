//! The server's half of the opening handshake (RFC 6455, 4.2.2), with the conditions that upstream makes.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::header::{
    CONNECTION, ORIGIN, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use sha1::{Digest as _, Sha1};

use super::origin;

/// What is hashed behind the client's key.
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// The only version of the protocol that is spoken.
const VERSION: &str = "13";

/// An accepted handshake.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Handshake {
    accept: String,
    /// The subprotocol that the client named: whatever it is, it changes nothing.
    protocol: Option<HeaderValue>,
}

/// Why there is no upgrade. It is told in plain text, if at all, and ends the connection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It is no GET.
    Method,
    /// `Connection` names it only in a second header.
    NoUpgrade,
    /// Without a key.
    NoKey,
    /// Another version of the protocol.
    Version,
    /// Without an `Origin`, as no browser asks, or with one that is no URI.
    Origin,
    /// More than one subprotocol, of which none can be chosen.
    Protocols,
}

impl Handshake {
    /// Reads what a client asks for that has been found to ask for WebSocket.
    pub(crate) fn read(method: &Method, headers: &HeaderMap) -> Result<Self, Refused> {
        if *method != Method::GET {
            return Err(Refused::Method);
        }
        if !headers.get(CONNECTION).is_some_and(names_upgrade) {
            return Err(Refused::NoUpgrade);
        }
        let key = headers.get(SEC_WEBSOCKET_KEY).filter(|key| !key.is_empty()).ok_or(Refused::NoKey)?;
        if headers.get(SEC_WEBSOCKET_VERSION).is_none_or(|version| version != VERSION) {
            return Err(Refused::Version);
        }
        if !headers.get(ORIGIN).and_then(|origin| origin.to_str().ok()).is_some_and(origin::is_uri) {
            return Err(Refused::Origin);
        }
        let protocol = match headers.get(SEC_WEBSOCKET_PROTOCOL).map(|named| named.as_bytes().trim_ascii()) {
            Some(named) if named.contains(&b',') => return Err(Refused::Protocols),
            Some(named) if !named.is_empty() => HeaderValue::from_bytes(named).ok(),
            _ => None,
        };
        let hash = Sha1::new().chain_update(key.as_bytes()).chain_update(GUID).finalize();
        Ok(Self { accept: BASE64_STANDARD.encode(hash), protocol })
    }

    /// The answer that switches protocols.
    pub(crate) fn response<T: Default>(self) -> Response<T> {
        let mut response = Response::new(T::default());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.extend(HeaderValue::from_str(&self.accept).ok().map(|accept| (SEC_WEBSOCKET_ACCEPT, accept)));
        headers.extend(self.protocol.map(|protocol| (SEC_WEBSOCKET_PROTOCOL, protocol)));
        response
    }
}

impl Refused {
    /// The answer.
    pub(crate) fn response(&self) -> Response<Bytes> {
        let (code, text) = match self {
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "bad method"),
            Self::NoUpgrade => (StatusCode::BAD_REQUEST, "not websocket protocol"),
            Self::NoKey => (StatusCode::BAD_REQUEST, "mismatch challenge/response"),
            Self::Version => (StatusCode::BAD_REQUEST, "missing or bad WebSocket Version"),
            Self::Origin => (StatusCode::FORBIDDEN, ""),
            Self::Protocols => (StatusCode::BAD_REQUEST, ""),
        };
        let mut response = Response::new(Bytes::from_static(text.as_bytes()));
        *response.status_mut() = code;
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        if *self == Self::Version {
            response.headers_mut().insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static(VERSION));
        }
        response
    }
}

/// Whether a `Connection` header speaks of an upgrade.
pub(super) fn names_upgrade(connection: &HeaderValue) -> bool {
    connection.as_bytes().to_ascii_lowercase().windows(b"upgrade".len()).any(|word| word == b"upgrade")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// The headers of a right request, with this one instead; an empty text takes it out.
    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let usual = [
            ("upgrade", "websocket"),
            ("connection", "Upgrade"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ("sec-websocket-version", "13"),
            ("origin", "http://a"),
        ];
        for (name, value) in usual.into_iter().chain([(name, value)]) {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if value.is_empty() {
            headers.remove(name);
        }
        headers
    }

    // What kube-apiserver 1.36.3 answered; the hash is that of RFC 6455.
    #[rstest]
    #[case::no_protocol("sec-websocket-protocol", "", None)]
    #[case::known_protocol("sec-websocket-protocol", "base64.binary.k8s.io", Some("base64.binary.k8s.io"))]
    #[case::any_protocol("sec-websocket-protocol", " foo ", Some("foo"))]
    #[case::blank_protocol("sec-websocket-protocol", " ", None)]
    #[case::no_extension_is_taken_up("sec-websocket-extensions", "permessage-deflate", None)]
    fn rest_075_accepted(
        #[case] name: &'static str,
        #[case] value: &'static str,
        #[case] protocol: Option<&'static str>,
    ) {
        let response =
            Handshake::read(&Method::GET, &headers(name, value)).expect("a right handshake").response::<()>();
        let told: Vec<_> =
            response.headers().iter().map(|(name, value)| (name.as_str(), value.to_str().ok())).collect();
        let mut expected = vec![
            ("upgrade", Some("websocket")),
            ("connection", Some("Upgrade")),
            ("sec-websocket-accept", Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")),
        ];
        expected.extend(protocol.map(|protocol| ("sec-websocket-protocol", Some(protocol))));
        assert_eq!((response.status().as_u16(), told), (101, expected));
    }

    #[rstest]
    #[case::key("sec-websocket-key", "", Refused::NoKey, 400, "mismatch challenge/response")]
    #[case::no_version("sec-websocket-version", "", Refused::Version, 400, "missing or bad WebSocket Version")]
    #[case::version("sec-websocket-version", "8", Refused::Version, 400, "missing or bad WebSocket Version")]
    #[case::versions("sec-websocket-version", "13, 8", Refused::Version, 400, "missing or bad WebSocket Version")]
    #[case::no_origin("origin", "", Refused::Origin, 403, "")]
    #[case::null_origin("origin", "null", Refused::Origin, 403, "")]
    #[case::protocols("sec-websocket-protocol", "binary.k8s.io, base64.binary.k8s.io", Refused::Protocols, 400, "")]
    #[case::protocol_and_nothing("sec-websocket-protocol", "a,", Refused::Protocols, 400, "")]
    fn rest_075_refused(
        #[case] name: &'static str,
        #[case] value: &'static str,
        #[case] expected: Refused,
        #[case] code: u16,
        #[case] text: &str,
    ) {
        let refused = Handshake::read(&Method::GET, &headers(name, value)).expect_err("a refusal");
        let response = refused.response();
        assert_eq!((response.status().as_u16(), &**response.body()), (code, text.as_bytes()));
        let version = response.headers().get("sec-websocket-version").map(HeaderValue::as_bytes);
        assert_eq!(version, (refused == Refused::Version).then_some(b"13".as_slice()));
        assert_eq!(refused, expected);
    }

    #[test]
    fn rest_075_only_get_is_upgraded() {
        let refused = Handshake::read(&Method::POST, &headers("origin", "http://a")).expect_err("a refusal");
        let response = refused.response();
        assert_eq!((response.status().as_u16(), &**response.body()), (405, b"bad method".as_slice()));
    }
}
