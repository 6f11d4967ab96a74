//! The server side of the opening handshake (RFC 6455, 4.2.2), with upstream's restrictions.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::header::{
    CONNECTION, ORIGIN, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use sha1::{Digest as _, Sha1};

use super::origin;

/// Appended to the client's key before it is hashed.
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// The only supported version of the protocol.
const VERSION: &str = "13";

/// An accepted handshake.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Handshake {
    accept: String,
    /// The subprotocol that the client requested; it is confirmed and has no effect.
    protocol: Option<HeaderValue>,
}

/// Why an upgrade is refused. The response is plain text or empty, and closes the connection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The method is not GET.
    Method,
    /// The first `Connection` header does not contain `upgrade`.
    NoUpgrade,
    /// The key is missing.
    NoKey,
    /// The version of the protocol is not supported.
    Version,
    /// The `Origin` is missing, which no browser omits, or is not a URI.
    Origin,
    /// There is more than one subprotocol; none is selected.
    Protocols,
}

impl Handshake {
    /// Reads the handshake of a request for an upgrade to WebSocket.
    pub(crate) fn read(method: &Method, headers: &HeaderMap) -> Result<Self, Refused> {
        if *method != Method::GET {
            return Err(Refused::Method);
        }
        if !headers.get(CONNECTION).is_some_and(contains_upgrade) {
            return Err(Refused::NoUpgrade);
        }
        let key = headers.get(SEC_WEBSOCKET_KEY).filter(|key| !key.is_empty()).ok_or(Refused::NoKey)?;
        if headers.get(SEC_WEBSOCKET_VERSION).is_none_or(|version| version != VERSION) {
            return Err(Refused::Version);
        }
        if !headers.get(ORIGIN).and_then(|origin| origin.to_str().ok()).is_some_and(origin::is_uri) {
            return Err(Refused::Origin);
        }
        let protocol = match headers.get(SEC_WEBSOCKET_PROTOCOL).map(|value| value.as_bytes().trim_ascii()) {
            Some(protocol) if protocol.contains(&b',') => return Err(Refused::Protocols),
            Some(protocol) if !protocol.is_empty() => HeaderValue::from_bytes(protocol).ok(),
            _ => None,
        };
        let hash = Sha1::new().chain_update(key.as_bytes()).chain_update(GUID).finalize();
        Ok(Self { accept: BASE64_STANDARD.encode(hash), protocol })
    }

    /// The response that switches protocols.
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
    /// The response to the refused request.
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

/// Whether a `Connection` header contains `upgrade`.
pub(super) fn contains_upgrade(connection: &HeaderValue) -> bool {
    connection.as_bytes().to_ascii_lowercase().windows(b"upgrade".len()).any(|word| word == b"upgrade")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// The headers of a valid request, with one replaced; an empty value removes it.
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

    // As kube-apiserver 1.36.3 answers; the hash is that of RFC 6455.
    #[rstest]
    #[case::no_protocol("sec-websocket-protocol", "", None)]
    #[case::known_protocol("sec-websocket-protocol", "base64.binary.k8s.io", Some("base64.binary.k8s.io"))]
    #[case::any_protocol("sec-websocket-protocol", " foo ", Some("foo"))]
    #[case::blank_protocol("sec-websocket-protocol", " ", None)]
    #[case::extensions_are_ignored("sec-websocket-extensions", "permessage-deflate", None)]
    fn rest_075_valid_handshakes_are_accepted(
        #[case] name: &'static str,
        #[case] value: &'static str,
        #[case] protocol: Option<&'static str>,
    ) {
        let response =
            Handshake::read(&Method::GET, &headers(name, value)).expect("a valid handshake").response::<()>();
        let headers: Vec<_> =
            response.headers().iter().map(|(name, value)| (name.as_str(), value.to_str().ok())).collect();
        let mut expected = vec![
            ("upgrade", Some("websocket")),
            ("connection", Some("Upgrade")),
            ("sec-websocket-accept", Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")),
        ];
        expected.extend(protocol.map(|protocol| ("sec-websocket-protocol", Some(protocol))));
        assert_eq!((response.status().as_u16(), headers), (101, expected));
    }

    #[rstest]
    #[case::no_key("sec-websocket-key", "", Refused::NoKey, 400, "mismatch challenge/response")]
    #[case::no_version("sec-websocket-version", "", Refused::Version, 400, "missing or bad WebSocket Version")]
    #[case::version("sec-websocket-version", "8", Refused::Version, 400, "missing or bad WebSocket Version")]
    #[case::versions("sec-websocket-version", "13, 8", Refused::Version, 400, "missing or bad WebSocket Version")]
    #[case::no_origin("origin", "", Refused::Origin, 403, "")]
    #[case::null_origin("origin", "null", Refused::Origin, 403, "")]
    #[case::protocols("sec-websocket-protocol", "binary.k8s.io, base64.binary.k8s.io", Refused::Protocols, 400, "")]
    #[case::protocol_and_empty_protocol("sec-websocket-protocol", "a,", Refused::Protocols, 400, "")]
    fn rest_075_invalid_handshakes_are_refused(
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
