//! How a converter is reached.

use std::{
    fmt,
    io::Read as _,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use crdible_scenario::reviews::CLOSED;
use crdible_webhooks::{Ending, HookAnswer as Planned};
use flate2::read::GzDecoder;
use http::{HeaderValue, Method, Request, header};
use serde_json::Value;

use crate::{
    connection::{LONGEST_BODY, Transport, TransportError},
    marks::USER_AGENT,
};

/// What follows the URL of a webhook when an API server calls it (CONV-008).
pub(super) const QUERY: &str = "?timeout=30s";

/// The same as a path.
const TARGET: &str = "/?timeout=30s";

/// The code of a certificate that no API server accepts (CONV-030/e4).
pub(super) const CERTIFICATE: &str = "certificate";

/// How often an answer that says "later" is asked for again (CONV-008).
const RETRIES: u32 = 10;

/// The limit of a call, with all retries (CONV-008).
pub(super) const LIMIT: Duration = Duration::from_secs(30);

/// The compression that an API server offers and understands (CONV-008).
const GZIP: &str = "gzip";

/// Computes the answer to the body of a review.
pub type Answering = Arc<dyn Fn(&[u8]) -> Planned + Send + Sync>;

/// How reviews are sent to a converter.
#[derive(Clone)]
pub enum ConverterTransport {
    /// Over HTTP. The transport's base URL is that of the webhook.
    Http(Arc<dyn Transport>),
    /// In process: a closure answers the body of a review.
    InProcess(Answering),
}

/// What a converter answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// An HTTP answer.
    Answer {
        /// The status code.
        status: u16,
        /// The body; a JSON string if it is not JSON.
        body: Value,
    },
    /// No answer, which is the converter's fault: the connection was closed, or nothing came in time.
    None {
        /// The kind of failure, as [`TransportError::code`] has it; or `certificate`.
        code: &'static str,
        /// What happened.
        message: String,
    },
}

/// A converter that cannot be reached, which says nothing about how it converts.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unanswered(String);

impl Unanswered {
    pub(super) fn because(why: String) -> Self {
        Self(why)
    }
}

impl ConverterTransport {
    /// Sends the body of one review, as an API server does.
    pub(super) async fn send(&self, body: Bytes) -> Result<Reply, Unanswered> {
        self.send_to(TARGET, body).await
    }

    /// The same without the query that an API server adds to the URL.
    pub(super) async fn send_without_query(&self, body: Bytes) -> Result<Reply, Unanswered> {
        self.send_to("/", body).await
    }

    async fn send_to(&self, target: &'static str, body: Bytes) -> Result<Reply, Unanswered> {
        match self {
            Self::InProcess(answer) => planned(answer(&body)).await,
            Self::Http(transport) => over_http(transport.as_ref(), target, body).await,
        }
    }
}

impl fmt::Debug for ConverterTransport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http(transport) => write!(formatter, "Http({transport:?})"),
            Self::InProcess(_) => formatter.write_str("InProcess"),
        }
    }
}

/// The reply for a planned answer that is not sent over a network.
async fn planned(answer: Planned) -> Result<Reply, Unanswered> {
    if answer.ending == Ending::Silent {
        return std::future::pending().await;
    }
    tokio::time::sleep(answer.delay).await;
    Ok(match answer.ending {
        Ending::CutAfter(_) | Ending::Closed => Reply::None { code: CLOSED, message: "it was closed".to_owned() },
        Ending::Whole | Ending::Silent => Reply::Answer { status: answer.status, body: decoded(&answer.body) },
    })
}

async fn over_http(transport: &dyn Transport, target: &'static str, body: Bytes) -> Result<Reply, Unanswered> {
    let started = Instant::now();
    let mut attempt = 0;
    loop {
        let mut request = Request::new(body.clone());
        *request.method_mut() = Method::POST;
        *request.uri_mut() = http::Uri::from_static(target);
        let headers = request.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, */*"));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(GZIP));
        headers.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
        let response = match transport.send(request).await {
            Ok(response) => response,
            Err(
                error @ (TransportError::Closed { .. }
                | TransportError::Timeout { .. }
                | TransportError::Unfinished { .. }
                | TransportError::Protocol { .. }
                | TransportError::TooLarge { .. }),
            ) => {
                return Ok(Reply::None { code: error.code(), message: error.to_string() });
            }
            // No API server accepts it either, whatever its authorities are.
            Err(error @ TransportError::Tls { is_nameless: true, .. }) => {
                return Ok(Reply::None { code: CERTIFICATE, message: error.to_string() });
            }
            Err(error) => return Err(Unanswered(error.to_string())),
        };
        let later = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let status = response.status();
        if let Some(pause) = later.map(Duration::from_secs)
            && (status.as_u16() == 429 || status.is_server_error())
            && attempt < RETRIES
            && started.elapsed() + pause < LIMIT
        {
            attempt += 1;
            tokio::time::sleep(pause).await;
            continue;
        }
        let is_compressed = response.headers().get(header::CONTENT_ENCODING).is_some_and(|encoding| encoding == GZIP);
        let body = if is_compressed { unzipped(response.body()) } else { Ok(response.body().clone()) };
        return Ok(match body {
            Ok(body) => Reply::Answer { status: status.as_u16(), body: decoded(&body) },
            Err(message) => Reply::None { code: "compression", message },
        });
    }
}

/// Decompresses a gzip body; the error says why it cannot be read.
fn unzipped(body: &[u8]) -> Result<Bytes, String> {
    let mut plain = Vec::new();
    let mut limited = GzDecoder::new(body).take(LONGEST_BODY + 1);
    limited.read_to_end(&mut plain).map_err(|error| format!("its gzip is broken: {error}"))?;
    if plain.len() as u64 > LONGEST_BODY {
        return Err(format!("it is larger than {LONGEST_BODY} bytes when it is unpacked"));
    }
    Ok(plain.into())
}

fn decoded(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(body).into_owned()))
}
