//! Webhooks in process: the embedded server calls them without sockets and TLS.

use std::sync::Arc;

use bytes::Bytes;
use crdible_reference::{WebhookCall, WebhookError, Webhooks};
use crdible_webhooks::Ending;
use http::Response;

use super::{Registry, response::response};

/// Passes calls of an embedded server on to the hooks of a run.
#[derive(Clone, Debug)]
pub struct Bridge {
    registry: Arc<Registry>,
}

impl Bridge {
    /// The URL of all hooks in process, to which the path of each is added.
    pub const URL: &'static str = "https://crdible.invalid:443";
    /// The same with a name for which the certificate is not valid.
    pub const OTHER_HOST: &'static str = "https://elsewhere.invalid:443";
    /// A URL without a listener.
    pub const NO_LISTENER: &'static str = "https://crdible.invalid:1";
    /// A URL whose listener does not speak TLS.
    pub const NO_TLS: &'static str = "https://crdible.invalid:80";

    /// A bridge to the hooks of a registry.
    pub fn to(registry: Arc<Registry>) -> Self {
        Self { registry }
    }

    /// Why there is no connection, if there is none.
    fn obstacle(&self, call: &WebhookCall<'_>) -> Option<&'static str> {
        let trusts = self.registry.authority().is_some_and(|own| own.pem().as_bytes() == call.ca_bundle);
        if call.url.starts_with(Self::NO_LISTENER) && !call.url.starts_with(Self::URL) {
            Some("connect: connection refused")
        } else if call.url.starts_with(Self::NO_TLS) {
            Some("http: server gave HTTP response to HTTPS client")
        } else if !trusts {
            Some("tls: failed to verify certificate: x509: certificate signed by unknown authority")
        } else if call.url.starts_with(Self::OTHER_HOST) {
            Some("tls: failed to verify certificate: x509: certificate is valid for crdible.invalid")
        } else {
            None
        }
    }
}

impl Webhooks for Bridge {
    fn call(&self, call: &WebhookCall<'_>) -> Result<Response<Bytes>, WebhookError> {
        if let Some(obstacle) = self.obstacle(call) {
            return Err(WebhookError::NoAnswer(obstacle.to_owned()));
        }
        let path = call.url.strip_prefix(Self::URL).unwrap_or("/");
        let answer = self.registry.answer(
            call.method.as_str(),
            path,
            Some("application/json"),
            Bytes::copy_from_slice(call.body),
        );
        let is_late = answer.delay >= call.time_limit || answer.ending == Ending::Silent;
        if is_late {
            std::thread::sleep(call.time_limit);
            return Err(WebhookError::TimedOut);
        }
        std::thread::sleep(answer.delay);
        match answer.ending {
            Ending::Closed => return Err(WebhookError::NoAnswer("EOF".to_owned())),
            Ending::CutAfter(_) => return Err(WebhookError::BrokenAnswer("unexpected EOF".to_owned())),
            Ending::Whole | Ending::Silent => {}
        }
        Ok(response(answer.status, answer.headers, Bytes::from(answer.body)))
    }
}
