//! The layer that every request goes through: it waits when the server requests it, and limits the rate (`--qps`).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Response, StatusCode, header};
use serde_json::Value;
use tokio::time::Instant;

use crate::webhook::Registry;

use super::pace::{Pace, Slowdown};
use super::rate::Rate;
use super::transport::{HttpRequest, RequestSummary, ResponseFuture, Transport, TransportError};
use super::waiting::{is_patient, within};
use super::watch::is_watch;

/// The first pause after a 429 without `Retry-After`; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause of that kind.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The shortest pause: `Retry-After: 0` must not cause a busy loop.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);

/// The pauses before a read is sent again after a gateway answered that it did not reach the server.
const GATEWAY_PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(200)];

/// The limits of waiting and of the rate.
#[derive(Debug)]
pub struct BackoffOptions {
    /// How long one request may wait in total before it fails with [`TransportError::Busy`].
    pub patience: Duration,
    /// A limit on requests per second.
    pub rate: Option<Rate>,
    /// The time limit of a request, if the user states one. Then it holds, however quickly others were answered.
    pub request_timeout: Option<Duration>,
}

impl Default for BackoffOptions {
    fn default() -> Self {
        Self { patience: Duration::from_secs(60), rate: None, request_timeout: None }
    }
}

/// A transport that retries after 429, and after 503 with `Retry-After`: it waits and sends the request again.
///
/// The caller never sees these responses, so they are never judged. Both mean that the server has not processed the
/// request, so a request with any method may be sent again. The answer of a gateway does not say whether the server
/// processed the request: then only a read is sent again. What the server itself gave up is an error, too.
pub struct BackoffTransport {
    inner: Arc<dyn Transport>,
    address: String,
    options: BackoffOptions,
    pace: Pace,
}

impl BackoffTransport {
    /// Wraps `inner`; `address` is for messages.
    pub fn new(inner: Arc<dyn Transport>, address: &str, options: BackoffOptions) -> Self {
        Self { inner, address: address.to_owned(), options, pace: Pace::default() }
    }

    async fn send_with_retries(&self, request: HttpRequest) -> Result<Response<Bytes>, TransportError> {
        let mut first_refusal: Option<Instant> = None;
        let mut pause = FIRST_PAUSE;
        let mut gateway_pauses = GATEWAY_PAUSES.iter();
        loop {
            if let Some(rate) = &self.options.rate {
                rate.take().await;
            }
            let sent = Instant::now();
            // A request is cheap to clone: reference counts and a small header map.
            let answer = self.answered(request.clone()).await?;
            if let Some(answer) = gives_up(&request, &answer) {
                let (place, after) = (self.place(&request), sent.elapsed());
                return Err(TransportError::GaveUp { place, after, answer: Box::new(answer) });
            }
            let Some(delay) = requested_delay(&answer, pause) else {
                if !is_of_a_gateway(&answer) {
                    return Ok(answer);
                }
                // 504 took its time, and would again.
                let is_quick = answer.status() != StatusCode::GATEWAY_TIMEOUT;
                let Some(pause) = gateway_pauses.next().filter(|_| is_quick && *request.method() == Method::GET) else {
                    return Err(TransportError::Gateway {
                        place: self.place(&request),
                        status: answer.status().as_u16(),
                    });
                };
                tokio::time::sleep(*pause).await;
                continue;
            };
            pause = (pause * 2).min(LONGEST_PAUSE);

            let begun = *first_refusal.get_or_insert_with(Instant::now);
            let waited = begun.elapsed();
            if waited.saturating_add(delay) > self.options.patience {
                return Err(TransportError::Busy {
                    place: self.place(&request),
                    status: answer.status().as_u16(),
                    waited,
                });
            }
            tokio::time::sleep(delay).await;
        }
    }

    /// Sends a request. If the server has answered many requests quickly, a request that hangs gets less time than on a
    /// slow server, unless it is sent [patiently](super::patiently).
    async fn answered(&self, request: HttpRequest) -> Result<Response<Bytes>, TransportError> {
        let is_ordinary = is_ordinary(&request);
        let is_limited = is_ordinary && self.options.request_timeout.is_none() && !is_patient();
        let Some(limit) = self.pace.limit().filter(|_| is_limited) else {
            let begun = Instant::now();
            let answer = self.inner.send(request).await?;
            if is_ordinary {
                self.pace.note(begun.elapsed());
            }
            return Ok(answer);
        };
        let place = self.place(&request);
        let begun = Instant::now();
        match within(limit, self.inner.send(request)).await {
            Some(answer) => {
                self.pace.note(begun.elapsed());
                answer
            }
            None => Err(TransportError::Timeout { place, after: limit }),
        }
    }

    fn place(&self, request: &HttpRequest) -> RequestSummary {
        RequestSummary::new(&self.address, request.method(), request.uri())
    }
}

/// Whether the times of other answers predict the time of this one. A watch stays open, and a document of `OpenAPI`,
/// which describes all definitions, takes a busy server far longer than any object.
fn is_ordinary(request: &HttpRequest) -> bool {
    !request.uri().query().is_some_and(is_watch) && !request.uri().path().starts_with("/openapi/")
}

/// Whether a response comes from a gateway: API servers respond with a `Status`.
fn is_of_a_gateway(answer: &Response<Bytes>) -> bool {
    (502..=504).contains(&answer.status().as_u16()) && status(answer).is_none()
}

/// The `Status` in which an API server says that the request took too long (504 with the reason `Timeout`): it says no
/// more of the server than no answer does. A read at a `resourceVersion` that never comes is answered alike, which is
/// promised (CONV-022).
fn gives_up(request: &HttpRequest, answer: &Response<Bytes>) -> Option<Value> {
    let waits_for_a_revision = request.uri().query().is_some_and(|query| query.contains("resourceVersion="));
    let is_slow = answer.status() == StatusCode::GATEWAY_TIMEOUT && !waits_for_a_revision;
    status(answer).filter(|status| is_slow && status["reason"] == "Timeout")
}

/// The body of an error of an API server.
fn status(answer: &Response<Bytes>) -> Option<Value> {
    let body: Option<Value> = serde_json::from_slice(answer.body()).ok();
    body.filter(|body| body["kind"] == "Status")
}

/// How long the server requests to wait with a response; `pause` if it does not say.
fn requested_delay(answer: &Response<Bytes>, pause: Duration) -> Option<Duration> {
    match (answer.status(), retry_after(answer)) {
        (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE, Some(delay)) => {
            Some(delay.max(SHORTEST_PAUSE))
        }
        (StatusCode::TOO_MANY_REQUESTS, None) => Some(pause),
        // Without the header, 503 does not request a retry.
        _ => None,
    }
}

impl fmt::Debug for BackoffTransport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("BackoffTransport").field(&self.inner).finish()
    }
}

impl Transport for BackoffTransport {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(self.send_with_retries(request))
    }

    fn slowdown(&self) -> Option<Slowdown> {
        self.pace.slowdown()
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

/// `Retry-After` in either of its forms, seconds or an HTTP date (RFC 9110, 10.2.3).
fn retry_after(answer: &Response<Bytes>) -> Option<Duration> {
    let text = answer.headers().get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    let seconds = date.as_second().saturating_sub(jiff::Timestamp::now().as_second());
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}
