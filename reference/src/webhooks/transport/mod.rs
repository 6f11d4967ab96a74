//! Calls of conversion webhooks.

#[cfg(feature = "webhooks")]
mod https;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Response};

#[cfg(feature = "webhooks")]
pub use https::{AnchorVerifier, HttpsWebhooks, InvalidWebhookUrl, UnannouncedEnd};

/// Sends requests to webhooks. A test can replace it by a closure ([`from_fn`]), without sockets and TLS.
pub trait Webhooks: Send + Sync {
    /// Sends a request and returns the answer, whatever its status. It may block, but no longer than the time limit of
    /// the call.
    ///
    /// Redirects and retries are the caller's business.
    fn call(&self, call: &WebhookCall<'_>) -> Result<Response<Bytes>, WebhookError>;
}

/// A request to a webhook.
#[derive(Clone, Debug)]
pub struct WebhookCall<'a> {
    /// `POST`; `GET` after some redirects.
    pub method: Method,
    /// The URL, `https://…`, with the query that the server adds. A reference to a service is
    /// `https://<name>.<namespace>.svc:<port>/…`.
    pub url: &'a str,
    /// The authorities that the definition trusts, in PEM; empty for those of the system.
    pub ca_bundle: &'a [u8],
    /// The body: a `ConversionReview` as JSON; empty in a `GET`.
    pub body: &'a [u8],
    /// How long the call may take.
    pub time_limit: Duration,
}

/// Why a webhook gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// There is no connection, or it ended before an answer. The text is what clients see: `connection refused`.
    #[error("{0}")]
    NoAnswer(String),
    /// The answer ended early.
    #[error("{0}")]
    BrokenAnswer(String),
    /// The time limit of the call has passed.
    #[error("context deadline exceeded")]
    TimedOut,
}

/// A converter in process: the function gets the body of the review and returns that of the answer. It is called from
/// several threads at once.
///
/// ```
/// use crdible_reference::{Options, webhooks_from_fn};
///
/// // Answers nothing that is valid.
/// let options = Options { webhooks: webhooks_from_fn(|_review| Vec::new()), ..Options::default() };
/// ```
pub fn from_fn(convert: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static) -> Arc<dyn Webhooks> {
    Arc::new(FromFn(convert))
}

struct FromFn<F>(F);

impl<F: Fn(&[u8]) -> Vec<u8> + Send + Sync> Webhooks for FromFn<F> {
    fn call(&self, call: &WebhookCall<'_>) -> Result<Response<Bytes>, WebhookError> {
        Ok(Response::new((self.0)(call.body).into()))
    }
}

/// What a server uses by default.
pub(crate) fn usual() -> Arc<dyn Webhooks> {
    #[cfg(feature = "webhooks")]
    return Arc::new(HttpsWebhooks::new());
    #[cfg(not(feature = "webhooks"))]
    return Arc::new(NoWebhooks);
}

/// There are no webhooks: every call fails.
#[cfg(not(feature = "webhooks"))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoWebhooks;

#[cfg(not(feature = "webhooks"))]
impl Webhooks for NoWebhooks {
    fn call(&self, _: &WebhookCall<'_>) -> Result<Response<Bytes>, WebhookError> {
        Err(WebhookError::NoAnswer("this server was built without a client for webhooks".to_owned()))
    }
}

impl fmt::Debug for dyn Webhooks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Webhooks")
    }
}
