//! One exchange with a webhook: redirects, retries, and the time limit of it all (CONV-008).

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use crdible_semantics::definition::ClientConfig;
use http::header::{LOCATION, RETRY_AFTER};
use http::{HeaderMap, Method, Response};
use serde_json::Value;

use super::deadline::Deadline;
use super::endpoint::{self, Endpoint};
use super::{body, refused};
use crate::webhooks::transport::{WebhookCall, WebhookError, Webhooks};
use crate::wire::deep::Depth;

/// How long a conversion may take.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// How often a webhook that asks for it is called again.
const RETRIES: usize = 10;
/// How many redirects are followed.
const REDIRECTS: usize = 10;

/// Calls the webhook of a definition.
pub(super) struct Caller {
    webhooks: Arc<dyn Webhooks>,
    depth: Arc<Depth>,
    endpoint: Endpoint,
    review: String,
}

/// Why there is no review to judge.
#[derive(Debug)]
pub(super) enum NoReview {
    /// The call failed; the reason as clients see it.
    Failed(String),
    /// The request that needs the conversion has no time left.
    TooLate,
}

impl Caller {
    pub(super) fn new(
        client: Option<&ClientConfig>,
        review: &str,
        webhooks: Arc<dyn Webhooks>,
        depth: Arc<Depth>,
    ) -> Self {
        Self { webhooks, depth, endpoint: Endpoint::of(client), review: review.to_owned() }
    }

    /// The version of its reviews.
    pub(super) fn review(&self) -> &str {
        &self.review
    }

    /// Sends a review and returns the answer, which may be anything in JSON.
    pub(super) fn exchange(&self, review: &[u8], deadline: Deadline) -> Result<Value, NoReview> {
        let own = Instant::now() + TIME_LIMIT;
        let until = deadline.map_or(own, |deadline| deadline.min(own));
        let answered = self.retry(review, until);
        if deadline.is_some_and(|deadline| deadline < own && Instant::now() >= deadline) {
            return Err(NoReview::TooLate);
        }
        let answer = answered.map_err(NoReview::Failed)?;
        let (head, bytes) = answer.into_parts();
        if !self.depth.note_answer(&bytes) {
            return Err(NoReview::Failed("the answer is nested too deeply".to_owned()));
        }
        if !(200..=206).contains(&head.status.as_u16()) {
            return Err(NoReview::Failed(refused::cause(head.status.as_u16(), &head.headers, &bytes)));
        }
        body::read(&head.headers, head.status.as_u16(), &bytes).map_err(NoReview::Failed)
    }

    /// Calls again as often as the webhook asks for it.
    fn retry(&self, review: &[u8], until: Instant) -> Result<Response<Bytes>, String> {
        for _ in 0..RETRIES {
            let answer = self.follow(review, until)?;
            let Some(pause) = pause_before_retry(answer.status().as_u16(), answer.headers()) else { return Ok(answer) };
            let left = until.saturating_duration_since(Instant::now());
            if pause >= left {
                thread::sleep(left);
                return Err("context deadline exceeded".to_owned());
            }
            thread::sleep(pause);
        }
        self.follow(review, until)
    }

    /// Calls and follows redirects.
    fn follow(&self, review: &[u8], until: Instant) -> Result<Response<Bytes>, String> {
        let (mut method, mut url) = (Method::POST, self.endpoint.url.clone());
        for _ in 0..=REDIRECTS {
            let call = WebhookCall {
                url: &url,
                ca_bundle: &self.endpoint.ca_bundle,
                body: if method == Method::POST { review } else { &[] },
                method: method.clone(),
                time_limit: until.saturating_duration_since(Instant::now()),
            };
            let answered =
                if call.time_limit.is_zero() { Err(WebhookError::TimedOut) } else { self.webhooks.call(&call) };
            let answer = answered.map_err(|error| cause(&method, &url, &error))?;
            let Some(location) = redirected(&answer) else { return Ok(answer) };
            if matches!(answer.status().as_u16(), 301..=303) {
                method = Method::GET;
            }
            url = endpoint::resolved(&url, location)
                .ok_or_else(|| format!("Post {url:?}: failed to parse Location header {location:?}"))?;
        }
        Err(format!("Post {url:?}: stopped after {REDIRECTS} redirects"))
    }
}

/// Where a redirect leads to.
fn redirected(answer: &Response<Bytes>) -> Option<&str> {
    if !matches!(answer.status().as_u16(), 301..=303 | 307 | 308) {
        return None;
    }
    answer.headers().get(LOCATION)?.to_str().ok().filter(|location| !location.is_empty())
}

/// How long to wait before the next call, if the answer asks for another one: only an error that says when, in
/// whole seconds.
fn pause_before_retry(status: u16, headers: &HeaderMap) -> Option<Duration> {
    if status != 429 && status < 500 {
        return None;
    }
    let seconds: i64 = headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or_default()))
}

fn cause(method: &Method, url: &str, error: &WebhookError) -> String {
    let verb = if *method == Method::GET { "Get" } else { "Post" };
    match error {
        WebhookError::BrokenAnswer(cause) => {
            format!("unexpected error when reading response body. Please retry. Original error: {cause}")
        }
        error => format!("{verb} {url:?}: {error}"),
    }
}
