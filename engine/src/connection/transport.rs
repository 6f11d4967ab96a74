//! Transports, which send a request to a server and return the response; and their errors.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::pace::Slowdown;
use crate::webhook::Registry;

/// A request. Its URI contains only path and query; the transport knows the address.
pub type HttpRequest = http::Request<Bytes>;

/// The future response of [`Transport::send`].
pub type ResponseFuture<'a> = Pin<Box<dyn Future<Output = Result<http::Response<Bytes>, TransportError>> + Send + 'a>>;

/// Sends one request and returns the whole response.
///
/// 4xx, 5xx and redirects are responses, too. It is an error only if there is no response; that says nothing about
/// conformance.
pub trait Transport: Send + Sync + fmt::Debug {
    /// Sends `request`, whose URI is a path with an optional query.
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_>;

    /// How slow the server has become, if too slow to go on. A transport that does not measure it returns `None`.
    fn slowdown(&self) -> Option<Slowdown> {
        None
    }

    /// The hooks that the server calls in process, if it does: then no listener is needed for its webhooks.
    fn webhooks(&self) -> Option<Arc<Registry>> {
        None
    }
}

/// In the extensions of a response: how often the connection ended before, although the server had the whole request
/// and sent nothing back, so that the request was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How often.
    pub times: u32,
}

/// In the extensions of a response: its stream had not ended, although it should have. The body is what came until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unended {
    /// How long it was read.
    pub after: Duration,
}

/// A request and its server, as messages show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestSummary {
    /// The address of the server, without user information, query and fragment.
    pub address: String,
    /// Method, path and query, truncated to [`RequestSummary::LONGEST_REQUEST`] characters.
    pub request: String,
}

impl RequestSummary {
    /// The limit of a request in messages, in characters.
    pub const LONGEST_REQUEST: usize = 200;

    /// The request `method uri` to `address`.
    pub fn new(address: &str, method: &http::Method, uri: &http::Uri) -> Self {
        let whole = format!("{method} {}", uri.path_and_query().map_or("/", |path| path.as_str()));
        let request = match whole.char_indices().nth(Self::LONGEST_REQUEST) {
            Some((cut, _)) => format!("{}…", &whole[..cut]),
            None => whole,
        };
        Self { address: address.to_owned(), request }
    }
}

impl fmt::Display for RequestSummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.address, self.request)
    }
}

/// Why there is no response. Each message says what happened, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// No connection: it was refused, there is no route, or it took too long.
    #[error("cannot reach {place}: {detail}; check that the server is running, and that address and port are right")]
    Unreachable {
        /// The request.
        place: RequestSummary,
        /// The message of the system.
        detail: String,
    },
    /// The host name has no address.
    #[error(
        "cannot resolve the host of {place}: {detail}; check the spelling of the address, and the DNS of this machine"
    )]
    UnknownHost {
        /// The request.
        place: RequestSummary,
        /// The message of the resolver.
        detail: String,
    },
    /// There is no TLS connection.
    #[error("the TLS connection to {place} failed: {detail}; {advice}")]
    Tls {
        /// The request.
        place: RequestSummary,
        /// The problem with the certificate or the handshake.
        detail: String,
        /// The certificate of the server names no host at all, so that no client accepts it.
        is_nameless: bool,
        /// What to do.
        advice: &'static str,
    },
    /// There was no response in time.
    #[error(
        "no response from {place} within {after:?}; check whether the \
         server is overloaded or hangs, or allow more time per request"
    )]
    Timeout {
        /// The request.
        place: RequestSummary,
        /// The time limit.
        after: Duration,
    },
    /// The response began, and did not end in time.
    #[error(
        "the response from {place} did not end within {after:?}; check whether the \
         server is overloaded or hangs, or allow more time per request"
    )]
    Unfinished {
        /// The request.
        place: RequestSummary,
        /// The time limit.
        after: Duration,
    },
    /// The server did not complete the request within its own limit, and said so: 504 with the reason `Timeout`.
    #[error(
        "the server gave up on {place} after {} s (504 Timeout); check whether \
         the server or its store is overloaded or hangs",
        after.as_secs()
    )]
    GaveUp {
        /// The request.
        place: RequestSummary,
        /// How long it took.
        after: Duration,
        /// The `Status` that it sent.
        answer: Box<serde_json::Value>,
    },
    /// The connection was closed before the response was complete.
    #[error(
        "the connection to {place} was closed before the response was complete: \
         {detail}; look for a crash or a restart in the log of the server{advice}"
    )]
    Closed {
        /// The request.
        place: RequestSummary,
        /// What happened.
        detail: String,
        /// More advice, beginning with a comma; or empty.
        advice: &'static str,
        /// Whether the server had the whole request and sent nothing back. It is not, if the connection had been idle:
        /// a server may close it just as a request is sent.
        is_received: bool,
    },
    /// The body of the response is too large.
    #[error(
        "the response from {place} is larger than {limit} bytes; \
         request less with `limit`, or check that this is the API server"
    )]
    TooLarge {
        /// The request.
        place: RequestSummary,
        /// The limit in bytes.
        limit: u64,
    },
    /// The response is not HTTP/1.1.
    #[error("the response from {place} is not HTTP: {detail}; {advice}")]
    Protocol {
        /// The request.
        place: RequestSummary,
        /// What happened.
        detail: String,
        /// What to do.
        advice: &'static str,
    },
    /// The server requested to retry later (429, or 503 with `Retry-After`) for too long.
    #[error(
        "{place} responded with {status} (retry later) for {waited:?}; \
         lower --workers or --qps, or give the server more capacity"
    )]
    Busy {
        /// The request.
        place: RequestSummary,
        /// The last status.
        status: u16,
        /// The time spent waiting.
        waited: Duration,
    },
    /// A gateway in front of the server responded instead of it.
    #[error(
        "a gateway in front of {place} responded with {status}; check that \
         the server behind it is running, and the timeouts of the gateway"
    )]
    Gateway {
        /// The request.
        place: RequestSummary,
        /// 502, 503 or 504.
        status: u16,
    },
    /// The credentials expired and could not be renewed.
    #[error("cannot renew the credentials for {address}: {detail}")]
    Credentials {
        /// The server's address.
        address: String,
        /// Why, and what to do.
        detail: String,
    },
    /// The request is not valid HTTP, so it was not sent.
    #[error("cannot send {place}: {detail}; this is a bug in crdible")]
    Unsendable {
        /// The request.
        place: RequestSummary,
        /// The problem.
        detail: String,
    },
}

impl TransportError {
    /// The same, where it is known whether the server had the whole request when the connection was closed.
    pub(super) fn when_received(self, received: bool) -> Self {
        match self {
            Self::Closed { place, detail, advice, .. } => Self::Closed { place, detail, advice, is_received: received },
            other => other,
        }
    }

    /// A short, stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => "unreachable",
            Self::UnknownHost { .. } => "unknown-host",
            Self::Tls { .. } => "tls",
            Self::Timeout { .. } | Self::Unfinished { .. } | Self::GaveUp { .. } => "timeout",
            Self::Closed { .. } => "closed",
            Self::TooLarge { .. } => "too-large",
            Self::Protocol { .. } => "protocol",
            Self::Busy { .. } => "busy",
            Self::Gateway { .. } => "gateway",
            Self::Credentials { .. } => "credentials",
            Self::Unsendable { .. } => "unsendable",
        }
    }
}
