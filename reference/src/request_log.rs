//! What a server tells of the requests that it answered: what they asked for and what came of it, never who asked by what credential.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Uri};
use serde_json::Value;

use crate::json;
use crate::yaml;

/// Takes what is told, as it comes, from many threads.
pub(crate) type RequestLog = dyn Fn(&Told<'_>) + Send + Sync;

/// Something that happened. [`Display`](fmt::Display) makes one line of it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Told<'a> {
    /// A request was answered, all at once.
    Answered(Answered<'a>),
    /// A watch began.
    WatchBegan(Answered<'a>),
    /// It ended: by itself, with the server, or since its client went. The bytes are those of its events.
    WatchEnded(Answered<'a>),
    /// A connection did not come to be.
    HandshakeFailed(&'a str),
}

/// A request and its answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answered<'a> {
    /// The method.
    pub method: &'a Method,
    /// The path, with the query.
    pub uri: &'a Uri,
    /// The status code.
    pub code: u16,
    /// The size of the answer's body.
    pub bytes: u64,
    /// How long it took; of a watch, how long it has been open.
    pub duration: Duration,
    /// Of a failure, what its Status says.
    pub message: Option<&'a str>,
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered(answered) => answered.write(f, ""),
            Self::WatchBegan(answered) => answered.write(f, " watch begins"),
            Self::WatchEnded(answered) => answered.write(f, " watch ends"),
            Self::HandshakeFailed(why) => write!(f, "TLS handshake failed: {}", OneLine(why)),
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

/// A text without line ends and other control characters: nobody writes lines of his own into a log.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| {
            if letter.is_control() { write!(f, "{}", letter.escape_default()) } else { write!(f, "{letter}") }
        })
    }
}

/// What the body of a refusal says: the message of its Status, or all of a plain text.
pub(crate) fn message(body: &Bytes) -> Option<String> {
    let message = |value: &Value| Some(value.get("message")?.as_str()?.to_owned());
    let status =
        json::parse(body).ok().map(|parsed| parsed.value).or_else(|| yaml::parse(body).ok().map(|it| it.value));
    let told = status.as_ref().and_then(message).or_else(|| String::from_utf8(body.to_vec()).ok())?;
    let told = told.trim();
    (!told.is_empty()).then(|| told.to_owned())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::in_json(r#"{"kind":"Status","message":"no such thing","code":404}"#, Some("no such thing"))]
    #[case::in_yaml("kind: Status\nmessage: no such thing\n", Some("no such thing"))]
    #[case::in_plain_text("404 page not found\n", Some("404 page not found"))]
    #[case::empty("", None)]
    fn messages(#[case] body: &'static str, #[case] expected: Option<&str>) {
        assert_eq!(message(&Bytes::from_static(body.as_bytes())).as_deref(), expected);
    }

    #[test]
    fn each_is_one_line() {
        let uri = Uri::from_static("http://server/apis/a.io/v1/things?limit=1");
        let answered = Answered {
            method: &Method::GET,
            uri: &uri,
            code: 404,
            bytes: 7,
            duration: Duration::from_micros(1250),
            message: Some("one\ntwo\u{1b}[0m"),
        };
        let line = Told::Answered(answered).to_string();
        assert_eq!(line, r"GET /apis/a.io/v1/things?limit=1 404 7 B 1.2 ms: one\ntwo\u{1b}[0m");
    }
}
