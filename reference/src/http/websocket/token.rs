//! A bearer token among the subprotocols: scripts in a browser have no other way to send one.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use http::header::SEC_WEBSOCKET_PROTOCOL;
use http::{HeaderMap, HeaderValue};

/// The prefix of the subprotocol that contains the token, in Base64.
const PREFIX: &[u8] = b"base64url.bearer.authorization.k8s.io.";

/// The credential among the subprotocols of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ProtocolToken {
    /// No credential, or the request asks for no upgrade.
    None,
    /// An invalid token, or one without another subprotocol that the server could select.
    Unreadable,
    /// A token, …
    Token {
        token: String,
        /// … and the other subprotocols in one header, which replaces those of a request that the token authenticates.
        others: HeaderValue,
    },
}

impl ProtocolToken {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        if !super::is_requested(headers) {
            return Self::None;
        }
        let protocols = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter();
        let protocols =
            protocols.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')).map(<[u8]>::trim_ascii);
        let (tokens, others): (Vec<_>, Vec<_>) = protocols.partition(|protocol| protocol.starts_with(PREFIX));
        let encoded = match tokens[..] {
            [] => return Self::None,
            [protocol] => &protocol[PREFIX.len()..],
            _ => return Self::Unreadable,
        };
        let token = BASE64_URL_SAFE_NO_PAD.decode(encoded).ok().and_then(|token| String::from_utf8(token).ok());
        match (token, HeaderValue::from_bytes(&others.join(&b','))) {
            (Some(token), _) if token.is_empty() => Self::None,
            (Some(token), Ok(header)) if !others.is_empty() => Self::Token { token, others: header },
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

    /// The token `abc` and these subprotocols.
    fn with_token(others: &'static str) -> ProtocolToken {
        ProtocolToken::Token { token: "abc".into(), others: HeaderValue::from_static(others) }
    }

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case::nothing(&[], ProtocolToken::None)]
    #[case::no_token(&["binary.k8s.io"], ProtocolToken::None)]
    #[case::first(&["base64url.bearer.authorization.k8s.io.YWJj, x"], with_token("x"))]
    #[case::last(&["x, base64url.bearer.authorization.k8s.io.YWJj"], with_token("x"))]
    #[case::in_two_headers(&["x", "base64url.bearer.authorization.k8s.io.YWJj", "y"], with_token("x,y"))]
    #[case::with_an_empty_protocol(&["base64url.bearer.authorization.k8s.io.YWJj,"], with_token(""))]
    #[case::only_the_token(&["base64url.bearer.authorization.k8s.io.YWJj"], ProtocolToken::Unreadable)]
    #[case::twice(&["base64url.bearer.authorization.k8s.io.YWJj,base64url.bearer.authorization.k8s.io.YWJj,x"],
        ProtocolToken::Unreadable)]
    #[case::not_base64(&["base64url.bearer.authorization.k8s.io.!!, x"], ProtocolToken::Unreadable)]
    #[case::padded(&["base64url.bearer.authorization.k8s.io.YQ==, x"], ProtocolToken::Unreadable)]
    #[case::empty(&["base64url.bearer.authorization.k8s.io., x"], ProtocolToken::None)]
    fn rest_075_tokens_are_read(#[case] protocols: &[&'static str], #[case] expected: ProtocolToken) {
        assert_eq!(ProtocolToken::of(&headers(protocols)), expected);
    }

    #[test]
    fn without_an_upgrade_no_token_is_read() {
        let mut headers = headers(&["base64url.bearer.authorization.k8s.io.YWJj, x"]);
        headers.remove("upgrade");
        assert_eq!(ProtocolToken::of(&headers), ProtocolToken::None);
    }
}
