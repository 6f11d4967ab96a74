//! Responses, and the warnings in their headers (VER-013).

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, RETRY_AFTER, VARY, WARNING};
use http::{Response, StatusCode};
use serde_json::Value;

use crate::base::status::Failure;
use crate::messages::representation::Format;
use crate::messages::watch::{self, Framing, Watch};

/// The limit of code points for all warning texts of a response together; above it each text is cut.
const MAX_WARNINGS_LENGTH: usize = 4096;
/// What each text is cut to above that limit, in code points.
const MAX_WARNING_LENGTH: usize = 256;

/// A successful response of a handler.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    /// Empty for a response without content.
    pub(crate) content_type: &'static str,
    pub(crate) body: Content,
    pub(crate) vary: bool,
    /// Additional headers; they replace the default ones.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

/// The content of a response.
#[derive(Debug)]
pub enum Content {
    /// A complete body.
    Whole(Bytes),
    /// The events of a watch, as they happen.
    Events(Box<Watch>),
}

impl Content {
    /// The complete body; empty for a watch.
    pub(crate) fn whole(self) -> Bytes {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Events(_) => Bytes::new(),
        }
    }
}

/// Why a handler refuses a request.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The path is not routed: 404 in plain text (VER-009, LIFE-008).
    NotRouted,
    /// Refused with a `Status`.
    Failure(Box<Failure>),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failure(Box::new(failure))
    }
}

impl Answer {
    /// A value in JSON.
    pub(crate) fn json(code: u16, value: &Value) -> Self {
        Self::written(code, value, Format::Json)
    }

    /// A value in a format.
    pub(crate) fn written(code: u16, value: &Value, format: Format) -> Self {
        Self { code, ..Self::bytes(format.content_type(), format.write(value).into()) }
    }

    /// Content that is already encoded.
    pub(crate) fn bytes(content_type: &'static str, body: Bytes) -> Self {
        Self { code: 200, content_type, body: Content::Whole(body), vary: false, headers: Vec::new() }
    }

    /// A response without content.
    pub(crate) fn empty(code: u16) -> Self {
        Self { code, ..Self::bytes("", Bytes::new()) }
    }

    /// Plain text, as probes answer.
    pub(crate) fn text(code: u16, text: impl Into<Bytes>) -> Self {
        let nosniff = (HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
        Self { code, headers: vec![nosniff], ..Self::bytes("text/plain; charset=utf-8", text.into()) }
    }

    /// The events of a watch.
    pub(crate) fn events(watch: Watch) -> Self {
        let content_type = watch.framing().content_type();
        Self { body: Content::Events(Box::new(watch)), ..Self::bytes(content_type, Bytes::new()) }
    }

    /// A watch that consists of an error event.
    pub(crate) fn refused_watch(format: Format, failure: &Failure) -> Self {
        let framing = Framing::of(format);
        Self::bytes(framing.content_type(), watch::refusal(framing, failure))
    }

    /// Adds the hash of the content as `ETag`; drops the content (304) if the client has it already.
    pub(crate) fn tagged(mut self, hash: &str, known: bool) -> Self {
        if known {
            self = Self { vary: self.vary, headers: self.headers, ..Self::empty(304) };
        }
        self.headers.extend(HeaderValue::from_str(&format!("\"{hash}\"")).ok().map(|tag| (ETAG, tag)));
        self
    }
}

/// The warnings of a response, in order, without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    texts: Vec<Arc<str>>,
    /// The same texts, for fast lookup: an object may have ten thousand unknown fields.
    seen: HashSet<Arc<str>>,
}

impl Warnings {
    pub(crate) fn add(&mut self, text: impl Into<Arc<str>>) {
        let text = text.into();
        if !text.is_empty() && self.seen.insert(Arc::clone(&text)) {
            self.texts.push(text);
        }
    }

    /// All texts. If they exceed the limit together (VER-013), each is cut, and those after the first that exceeds the
    /// limit are included only while the cut texts are below it.
    fn headers(self) -> impl Iterator<Item = HeaderValue> {
        let runes = |text: &str| text.chars().count();
        let mut total = 0;
        let exceeding = self.texts.iter().position(|text| {
            total += runes(text);
            total > MAX_WARNINGS_LENGTH
        });
        let mut written = 0;
        self.texts
            .into_iter()
            .enumerate()
            .map_while(move |(at, text)| {
                let Some(exceeding) = exceeding else { return Some(text.to_string()) };
                if at > exceeding && written >= MAX_WARNINGS_LENGTH {
                    return None;
                }
                let cut: String = text.chars().take(MAX_WARNING_LENGTH).collect();
                written += runes(&cut);
                Some(cut)
            })
            .filter_map(|text| warning_header(&text))
    }
}

/// A `Warning` header; `None` if the text cannot be a header value.
pub(crate) fn warning_header(text: &str) -> Option<HeaderValue> {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    HeaderValue::from_bytes(format!("299 - \"{escaped}\"").as_bytes()).ok()
}

/// Builds the response; a refusal is encoded in the format `refusal`.
pub(crate) fn respond(result: Result<Answer, Refusal>, warnings: Warnings, refusal: Format) -> Response<Content> {
    let answer = match result {
        Ok(answer) => answer,
        Err(Refusal::NotRouted) => Answer::text(404, "404 page not found\n"),
        Err(Refusal::Failure(failure)) => {
            let headers = failure.retry_after.map(|seconds| (RETRY_AFTER, HeaderValue::from(seconds)));
            Answer {
                headers: headers.into_iter().collect(),
                ..Answer::written(failure.code, &failure.to_json(), refusal)
            }
        }
    };
    let mut response = Response::new(answer.body);
    *response.status_mut() = StatusCode::from_u16(answer.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    if !answer.content_type.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(answer.content_type));
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, private"));
    for (name, value) in answer.headers {
        headers.insert(name, value);
    }
    if answer.vary {
        headers.insert(VARY, HeaderValue::from_static("Accept"));
    }
    for warning in warnings.headers() {
        headers.append(WARNING, warning);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(texts: &[String]) -> Vec<String> {
        let mut warnings = Warnings::default();
        for text in texts {
            warnings.add(text.clone());
        }
        warnings.headers().filter_map(|value| String::from_utf8(value.as_bytes().to_vec()).ok()).collect()
    }

    #[test]
    fn ver_013_texts_are_escaped_and_not_repeated() {
        let warnings = headers(&["a \"b\" \\".into(), "a \"b\" \\".into()]);
        assert_eq!(warnings, ["299 - \"a \\\"b\\\" \\\\\""]);
    }

    #[test]
    fn ver_013_long_texts_are_cut_and_the_rest_is_dropped() {
        let texts: Vec<String> = (0..20).map(|number| format!("{number:02}{}", "x".repeat(400))).collect();
        let behind_a_short_one: Vec<String> = [vec!["gone".to_owned()], texts.clone()].concat();
        assert_eq!(headers(&behind_a_short_one).len(), 17);
        let warnings = headers(&texts);
        assert_eq!(warnings.len(), 16);
        assert!(warnings.iter().all(|text| text.len() == "299 - \"\"".len() + 256), "{warnings:?}");
        // The text that exceeds the limit is always included.
        let exact: Vec<String> = (10..30).map(|number| format!("{number}{}", "x".repeat(254))).collect();
        assert_eq!(headers(&exact[..16]).len(), 16);
        assert_eq!(headers(&exact).len(), 17);
    }
}
