//! Calls of conversion webhooks.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

/// Sends conversion reviews to webhooks. A test can replace it by a closure ([`from_fn`]), without sockets and TLS.
pub trait Webhooks: Send + Sync {
    /// POSTs a review and returns the answer, whatever its status. It may block, but no longer than the time limit of the call.
    fn post(&self, call: &WebhookCall<'_>) -> Result<WebhookAnswer, WebhookError>;
}

/// A call of a webhook.
#[derive(Clone, Copy, Debug)]
pub struct WebhookCall<'a> {
    /// The URL, `https://…`, with the query that the server adds.
    pub url: &'a str,
    /// The authorities that the definition trusts, in PEM; empty for those of the system.
    pub ca_bundle: &'a [u8],
    /// The body: a `ConversionReview` as JSON.
    pub body: &'a [u8],
    /// How long the call may take.
    pub time_limit: Duration,
}

/// The answer of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookAnswer {
    /// The status code.
    pub status: u16,
    /// The `Retry-After` header, if it is a number of seconds.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Bytes,
}

/// Why a webhook gave no answer, as it is told to clients: `connection refused`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WebhookError(pub String);

/// A converter in process: the function gets the body of the review and returns that of the answer.
///
/// ```
/// use crdible_reference::{Options, webhooks_from_fn};
///
/// // Answers nothing that is valid.
/// let options = Options { webhooks: webhooks_from_fn(|_review| Vec::new()), ..Options::default() };
/// ```
pub fn from_fn(convert: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static) -> std::sync::Arc<dyn Webhooks> {
    std::sync::Arc::new(FromFn(convert))
}

struct FromFn<F>(F);

impl<F: Fn(&[u8]) -> Vec<u8> + Send + Sync> Webhooks for FromFn<F> {
    fn post(&self, call: &WebhookCall<'_>) -> Result<WebhookAnswer, WebhookError> {
        Ok(WebhookAnswer { status: 200, retry_after: None, body: (self.0)(call.body).into() })
    }
}

/// There are no webhooks: every call fails.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoWebhooks;

impl Webhooks for NoWebhooks {
    fn post(&self, _: &WebhookCall<'_>) -> Result<WebhookAnswer, WebhookError> {
        Err(WebhookError("webhooks are not supported by this server".to_owned()))
    }
}

impl fmt::Debug for dyn Webhooks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Webhooks")
    }
}
