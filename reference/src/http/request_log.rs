//! The request log: what was requested and what the response was, never the credentials.

use std::fmt;
use std::time::Duration;

use http::{Method, Uri};

/// The receiver of log entries; called from several threads.
pub(crate) type RequestLog = dyn Fn(&LogEntry<'_>) + Send + Sync;

/// An entry of the request log. [`Display`](fmt::Display) formats it as one line.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogEntry<'a> {
    /// A request was answered completely.
    Answered(Answered<'a>),
    /// A watch was opened.
    WatchBegan(Answered<'a>),
    /// A watch ended: on its timeout, because the server stopped, or because the client disconnected. `bytes` counts
    /// its events.
    WatchEnded(Answered<'a>),
    /// A TLS handshake failed, for this reason.
    HandshakeFailed(&'a str),
    /// As many connections are open as [`Limits::connections`](crate::Limits::connections) allows. Logged at most once
    /// a minute.
    ConnectionLimit(usize),
}

/// A request and its response.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answered<'a> {
    /// The method.
    pub method: &'a Method,
    /// The path and the query.
    pub uri: &'a Uri,
    /// The HTTP status code.
    pub code: u16,
    /// The size of the response body, in bytes.
    pub bytes: u64,
    /// The time until the response; at the end of a watch, how long it was open.
    pub duration: Duration,
    /// The message of the `Status`, if the request failed.
    pub message: Option<&'a str>,
}

impl fmt::Display for LogEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered(answered) => answered.write(f, ""),
            Self::WatchBegan(answered) => answered.write(f, " watch begins"),
            Self::WatchEnded(answered) => answered.write(f, " watch ends"),
            Self::HandshakeFailed(why) => write!(f, "TLS handshake failed: {}", OneLine(why)),
            Self::ConnectionLimit(count) => {
                write!(f, "{count} connections are open, which is the limit: new ones wait until one is closed")
            }
        }
    }
}

impl Answered<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, what: &str) -> fmt::Result {
        let path = self.uri.path_and_query().map_or("/", |path| path.as_str());
        let Self { method, code, bytes, .. } = self;
        let milliseconds = self.duration.as_secs_f64() * 1000.0;
        write!(f, "{method} {path} {code}{what} {bytes} B {milliseconds:.1} ms")?;
        self.message.map_or(Ok(()), |message| write!(f, ": {}", OneLine(message)))
    }
}

/// A text with its control characters escaped, so that a client cannot forge log lines.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| {
            if letter.is_control() { write!(f, "{}", letter.escape_default()) } else { write!(f, "{letter}") }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_one_line() {
        let uri = Uri::from_static("http://server/apis/a.io/v1/things?limit=1");
        let answered = Answered {
            method: &Method::GET,
            uri: &uri,
            code: 404,
            bytes: 7,
            duration: Duration::from_micros(1250),
            message: Some("one\ntwo\u{1b}[0m"),
        };
        let line = LogEntry::Answered(answered).to_string();
        assert_eq!(line, r"GET /apis/a.io/v1/things?limit=1 404 7 B 1.2 ms: one\ntwo\u{1b}[0m");
    }
}
