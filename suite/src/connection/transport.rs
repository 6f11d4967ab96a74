//! What carries a request to a server and an answer back, and how that can fail.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;

/// A request as the executor makes it: the URI holds path and query only, the transport knows the
/// address.
pub type HttpRequest = http::Request<Bytes>;

/// The answer to come of [`Transport::send`].
pub type ResponseFuture<'a> = Pin<Box<dyn Future<Output = Result<http::Response<Bytes>, TransportError>> + Send + 'a>>;

/// Sends one request and gives back the whole answer.
///
/// Whatever the server answers, also 4xx and 5xx and redirects, is an answer; only what prevents an
/// answer is an error. An error says nothing about conformance.
pub trait Transport: Send + Sync + fmt::Debug {
    /// Sends `request`, whose URI is a path with an optional query.
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_>;
}

/// Which request to which server: the part that all messages share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestSummary {
    /// The server's address without user information, query and fragment.
    pub address: String,
    /// Method, path and query, shortened to [`RequestSummary::LONGEST_REQUEST`] characters.
    pub request: String,
}

impl RequestSummary {
    /// Longer requests are cut in messages.
    pub const LONGEST_REQUEST: usize = 200;

    /// The place of `method uri` at `address`.
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

/// Why there is no answer. Each message says what happened, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// No connection: refused, no route, connecting took too long.
    #[error("cannot reach {place}: {detail}; check that the server runs and that address and port are right")]
    Unreachable {
        /// Where to.
        place: RequestSummary,
        /// What the system said.
        detail: String,
    },
    /// The host's name has no address.
    #[error("cannot find the host of {place}: {detail}; check the spelling of the address and the DNS of this machine")]
    UnknownHost {
        /// Where to.
        place: RequestSummary,
        /// What the resolver said.
        detail: String,
    },
    /// TLS was not agreed upon.
    #[error("no secure connection to {place}: {detail}; {advice}")]
    Tls {
        /// Where to.
        place: RequestSummary,
        /// What is wrong with the certificate or the handshake.
        detail: String,
        /// What to do.
        advice: &'static str,
    },
    /// No complete answer in time.
    #[error(
        "no answer from {place} within {after:?}; check whether the server is overloaded or hangs, or allow more time per request"
    )]
    Timeout {
        /// Where to.
        place: RequestSummary,
        /// How long was waited.
        after: Duration,
    },
    /// The connection ended before the answer was complete.
    #[error(
        "the connection to {place} ended without a complete answer: {detail}; look for a crash or a restart in the server's log{advice}"
    )]
    Closed {
        /// Where to.
        place: RequestSummary,
        /// What was seen.
        detail: String,
        /// More to look at, beginning with `; ` (or nothing).
        advice: &'static str,
    },
    /// The answer's body is longer than this client keeps.
    #[error(
        "the answer from {place} is longer than {limit} bytes; ask for less with `limit`, or check what answers there"
    )]
    TooLarge {
        /// Where to.
        place: RequestSummary,
        /// The limit in bytes.
        limit: u64,
    },
    /// What came back is not HTTP/1.1.
    #[error("what {place} answers is not HTTP: {detail}; {advice}")]
    Protocol {
        /// Where to.
        place: RequestSummary,
        /// What was seen.
        detail: String,
        /// What to do.
        advice: &'static str,
    },
    /// The server asked to wait (429, or 503 with `Retry-After`) longer than patience lasts.
    #[error(
        "{place} kept answering {status} (try again later) for {waited:?}; lower --workers or --qps, or give the server more capacity"
    )]
    Busy {
        /// Where to.
        place: RequestSummary,
        /// The last status seen.
        status: u16,
        /// Time spent waiting.
        waited: Duration,
    },
    /// Something in front of the server answered in its place.
    #[error(
        "a gateway in front of {place} answers {status} itself; look whether the server behind it is up, and how long it may take"
    )]
    Gateway {
        /// Where to.
        place: RequestSummary,
        /// 502, 503 or 504.
        status: u16,
    },
    /// Credentials ran out and could not be renewed.
    #[error("cannot renew the credentials for {address}: {detail}")]
    Credentials {
        /// The server's address.
        address: String,
        /// Why, and what to do.
        detail: String,
    },
    /// The request cannot be written as HTTP, so it was not sent.
    #[error("cannot send {place}: {detail}; this is a defect of whoever made the request")]
    Unsendable {
        /// Where to.
        place: RequestSummary,
        /// What is wrong with it.
        detail: String,
    },
}

impl TransportError {
    /// A short stable name of the kind, fit for counting.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => "unreachable",
            Self::UnknownHost { .. } => "unknown-host",
            Self::Tls { .. } => "tls",
            Self::Timeout { .. } => "timeout",
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
