//! Watches over WebSocket (REST-075): a client that asks for an upgrade gets the events as messages instead of as lines of a body.
//!
//! It is a watch like any other until it is found that there will be events: refusals are plain HTTP. Then the handshake counts, and then
//! each event is a text message. What the client sends means nothing, but for its going.

mod handshake;
mod origin;
mod stream;
mod token;

pub(crate) use handshake::{Handshake, Refused};
pub(crate) use stream::send_events;
pub(crate) use token::ProtocolToken;

use http::HeaderMap;
use http::header::{CONNECTION, UPGRADE};

/// Whether a request asks for an upgrade to WebSocket. As upstream does, of several `Upgrade` headers only the first is read, and of
/// `Connection` it is enough that the word occurs.
pub(crate) fn is_asked_for(headers: &HeaderMap) -> bool {
    headers.get(UPGRADE).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"websocket"))
        && headers.get_all(CONNECTION).iter().any(handshake::names_upgrade)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use rstest::rstest;

    use super::*;

    // What kube-apiserver 1.36.3 upgraded.
    #[rstest]
    #[case::usual("websocket", "Upgrade", true)]
    #[case::capitals("WebSocket", "UPGRADE", true)]
    #[case::one_of_several("websocket", "keep-alive, Upgrade", true)]
    #[case::within_a_word("websocket", "xupgradex", true)]
    #[case::kept_alive("websocket", "keep-alive", false)]
    #[case::other_protocol("h2c", "Upgrade", false)]
    #[case::several_protocols("websocket, h2c", "Upgrade", false)]
    fn rest_075_requests(#[case] upgrade: &'static str, #[case] connection: &'static str, #[case] expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(UPGRADE, HeaderValue::from_static(upgrade));
        headers.insert(CONNECTION, HeaderValue::from_static(connection));
        assert_eq!(is_asked_for(&headers), expected);
    }
}
