//! A bearer token among the subprotocols: in a browser a script has no other way to send one.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use http::header::SEC_WEBSOCKET_PROTOCOL;
use http::{HeaderMap, HeaderValue};

/// What the token stands behind, in Base64.
const PREFIX: &[u8] = b"base64url.bearer.authorization.k8s.io.";

/// What the subprotocols of a request say of who asks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ProtocolToken {
    /// Nothing; or the request asks for no upgrade.
    None,
    /// Something that cannot be read, or a token with no subprotocol beside it that could be told back.
    Unreadable,
    /// A token, …
    Shown {
        token: String,
        /// … and the subprotocols beside it, in one header. A client that is let in by the token asked for no others.
        others: HeaderValue,
    },
}

impl ProtocolToken {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        if !super::is_asked_for(headers) {
            return Self::None;
        }
        let protocols = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter();
        let protocols =
            protocols.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')).map(<[u8]>::trim_ascii);
        let (shown, others): (Vec<_>, Vec<_>) = protocols.partition(|protocol| protocol.starts_with(PREFIX));
        let encoded = match shown[..] {
            [] => return Self::None,
            [protocol] => &protocol[PREFIX.len()..],
            _ => return Self::Unreadable,
        };
        let token = BASE64_URL_SAFE_NO_PAD.decode(encoded).ok().and_then(|token| String::from_utf8(token).ok());
        match (token, HeaderValue::from_bytes(&others.join(&b','))) {
            (Some(token), _) if token.is_empty() => Self::None,
            (Some(token), Ok(header)) if !others.is_empty() => Self::Shown { token, others: header },
            _ => Self::Unreadable,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn headers(protocols: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("upgrade", HeaderValue::from_static("websocket"));
        headers.insert("connection", HeaderValue::from_static("Upgrade"));
        for protocol in protocols {
            headers.append(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(protocol));
        }
        headers
    }

    /// The token `abc`, and these subprotocols.
    fn shown(others: &'static str) -> ProtocolToken {
        ProtocolToken::Shown { token: "abc".into(), others: HeaderValue::from_static(others) }
    }

    // What kube-apiserver 1.36.3 made of them.
    #[rstest]
    #[case::nothing(&[], ProtocolToken::None)]
    #[case::no_token(&["binary.k8s.io"], ProtocolToken::None)]
    #[case::first(&["base64url.bearer.authorization.k8s.io.YWJj, x"], shown("x"))]
    #[case::last(&["x, base64url.bearer.authorization.k8s.io.YWJj"], shown("x"))]
    #[case::in_two_headers(&["x", "base64url.bearer.authorization.k8s.io.YWJj", "y"], shown("x,y"))]
    #[case::beside_nothing(&["base64url.bearer.authorization.k8s.io.YWJj,"], shown(""))]
    #[case::alone(&["base64url.bearer.authorization.k8s.io.YWJj"], ProtocolToken::Unreadable)]
    #[case::twice(&["base64url.bearer.authorization.k8s.io.YWJj,base64url.bearer.authorization.k8s.io.YWJj,x"],
        ProtocolToken::Unreadable)]
    #[case::no_base64(&["base64url.bearer.authorization.k8s.io.!!, x"], ProtocolToken::Unreadable)]
    #[case::padded(&["base64url.bearer.authorization.k8s.io.YQ==, x"], ProtocolToken::Unreadable)]
    #[case::empty(&["base64url.bearer.authorization.k8s.io., x"], ProtocolToken::None)]
    fn rest_075_tokens(#[case] protocols: &[&'static str], #[case] expected: ProtocolToken) {
        assert_eq!(ProtocolToken::of(&headers(protocols)), expected);
    }

    #[test]
    fn without_an_upgrade_there_is_none() {
        let mut headers = headers(&["base64url.bearer.authorization.k8s.io.YWJj, x"]);
        headers.remove("upgrade");
        assert_eq!(ProtocolToken::of(&headers), ProtocolToken::None);
    }
}
