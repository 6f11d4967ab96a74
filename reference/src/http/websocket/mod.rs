//! Watches over WebSocket (REST-075): a client that requests an upgrade gets events as messages instead of as lines of
//! a body.
//!
//! The request is handled as any other watch first, so refusals are plain HTTP. The handshake is checked only if there
//! will be events; then each event is sent as a text message. Messages of the client are ignored, except for closing.

mod handshake;
mod origin;
mod stream;
mod token;

pub(crate) use handshake::{Handshake, Refused};
pub(crate) use stream::send_events;
pub(crate) use token::ProtocolToken;

use http::HeaderMap;
use http::header::{CONNECTION, UPGRADE};

/// Whether a request asks for an upgrade to WebSocket. As upstream, reads only the first `Upgrade` header, and requires
/// only that some `Connection` header contains the word.
pub(crate) fn is_requested(headers: &HeaderMap) -> bool {
    headers.get(UPGRADE).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"websocket"))
        && headers.get_all(CONNECTION).iter().any(handshake::contains_upgrade)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    // As kube-apiserver 1.36.3 answers.
    #[rstest]
    #[case::usual("websocket", "Upgrade", true)]
    #[case::capitals("WebSocket", "UPGRADE", true)]
    #[case::one_of_several("websocket", "keep-alive, Upgrade", true)]
    #[case::within_a_word("websocket", "xupgradex", true)]
    #[case::kept_alive("websocket", "keep-alive", false)]
    #[case::other_protocol("h2c", "Upgrade", false)]
    #[case::several_protocols("websocket, h2c", "Upgrade", false)]
    fn rest_075_upgrade_requests_are_recognised(
        #[case] upgrade: &'static str,
        #[case] connection: &'static str,
        #[case] expected: bool,
    ) {
        let mut headers = HeaderMap::new();
        headers.insert(UPGRADE, HeaderValue::from_static(upgrade));
        headers.insert(CONNECTION, HeaderValue::from_static(connection));
        assert_eq!(is_requested(&headers), expected);
    }
}
