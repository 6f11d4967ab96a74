//! Answers, and the warnings that go with them (VER-013).

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, VARY, WARNING};
use http::{Response, StatusCode};
use serde_json::Value;

use crate::representation::Format;
use crate::status::Failure;
use crate::watch::Watch;

/// All texts of warnings of one answer together may have so many code points; above that each is cut.
const MAX_WARNINGS_LENGTH: usize = 4096;
/// What each text is cut to then.
const MAX_WARNING_LENGTH: usize = 256;

/// What a handler gives back when it does not refuse.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    /// Nothing if there is nothing to tell of.
    pub(crate) content_type: &'static str,
    pub(crate) body: Content,
    pub(crate) vary: bool,
    /// Further headers; they replace those that every answer has.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

/// What an answer brings.
#[derive(Debug)]
pub enum Content {
    /// All of it, at once.
    Whole(Bytes),
    /// Events as they come.
    Events(Box<Watch>),
}

impl Content {
    /// The whole of what is no stream; of one, nothing.
    pub(crate) fn whole(self) -> Bytes {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Events(_) => Bytes::new(),
        }
    }
}

/// Why a handler gives no answer.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Nothing is routed there: 404 in plain text (VER-009, LIFE-008).
    NotRouted,
    /// A `Status`.
    Failure(Box<Failure>),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failure(Box::new(failure))
    }
}

impl Answer {
    /// JSON with the given code.
    pub(crate) fn json(code: u16, value: &Value) -> Self {
        Self::written(code, value, Format::Json)
    }

    /// A value in a format.
    pub(crate) fn written(code: u16, value: &Value, format: Format) -> Self {
        Self { code, ..Self::bytes(format.content_type(), format.write(value).into()) }
    }

    /// What is written already.
    pub(crate) fn bytes(content_type: &'static str, body: Bytes) -> Self {
        Self { code: 200, content_type, body: Content::Whole(body), vary: false, headers: Vec::new() }
    }

    /// Nothing but a code.
    pub(crate) fn empty(code: u16) -> Self {
        Self { code, ..Self::bytes("", Bytes::new()) }
    }

    /// Plain text, as the probes answer.
    pub(crate) fn text(code: u16, text: impl Into<Bytes>) -> Self {
        let nosniff = (HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
        Self { code, headers: vec![nosniff], ..Self::bytes("text/plain; charset=utf-8", text.into()) }
    }

    /// The events of a watch.
    pub(crate) fn events(watch: Watch) -> Self {
        Self { body: Content::Events(Box::new(watch)), ..Self::bytes("application/json", Bytes::new()) }
    }

    /// With the hash of its content as `ETag`, and without the content if that is known already.
    pub(crate) fn tagged(mut self, hash: &str, known: bool) -> Self {
        if known {
            self = Self { vary: self.vary, headers: self.headers, ..Self::empty(304) };
        }
        self.headers.extend(HeaderValue::from_str(&format!("\"{hash}\"")).ok().map(|tag| (ETAG, tag)));
        self
    }
}

/// Warnings of one answer, in order, each text once.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    texts: Vec<Arc<str>>,
    /// The same, to be found at once: an object may have ten thousand unknown fields.
    told: HashSet<Arc<str>>,
}

impl Warnings {
    pub(crate) fn add(&mut self, text: impl Into<Arc<str>>) {
        let text = text.into();
        if !text.is_empty() && self.told.insert(Arc::clone(&text)) {
            self.texts.push(text);
        }
    }

    /// All texts, or if they are too long together (VER-013): those up to the one that exceeds the limit, cut, and further ones
    /// while those told are below it.
    fn headers(self) -> impl Iterator<Item = HeaderValue> {
        let runes = |text: &str| text.chars().count();
        let mut total = 0;
        let exceeding = self.texts.iter().position(|text| {
            total += runes(text);
            total > MAX_WARNINGS_LENGTH
        });
        let mut told = 0;
        self.texts
            .into_iter()
            .enumerate()
            .map_while(move |(at, text)| {
                let Some(exceeding) = exceeding else { return Some(text.to_string()) };
                if at > exceeding && told >= MAX_WARNINGS_LENGTH {
                    return None;
                }
                let cut: String = text.chars().take(MAX_WARNING_LENGTH).collect();
                told += runes(&cut);
                Some(cut)
            })
            .filter_map(|text| warning_header(&text))
    }
}

/// A warning as it goes over the wire; nothing if it cannot.
pub(crate) fn warning_header(text: &str) -> Option<HeaderValue> {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    HeaderValue::from_bytes(format!("299 - \"{escaped}\"").as_bytes()).ok()
}

/// Makes the response; a refusal is written in this format.
pub(crate) fn respond(result: Result<Answer, Refusal>, warnings: Warnings, refusal: Format) -> Response<Content> {
    let answer = match result {
        Ok(answer) => answer,
        Err(Refusal::NotRouted) => Answer::text(404, "404 page not found\n"),
        Err(Refusal::Failure(failure)) => Answer::written(failure.code, &failure.to_json(), refusal),
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
    fn ver_013_texts_are_escaped_and_told_once() {
        let told = headers(&["a \"b\" \\".into(), "a \"b\" \\".into()]);
        assert_eq!(told, ["299 - \"a \\\"b\\\" \\\\\""]);
    }

    #[test]
    fn ver_013_long_texts_are_cut_and_the_rest_left_out() {
        let texts: Vec<String> = (0..20).map(|number| format!("{number:02}{}", "x".repeat(400))).collect();
        let behind_a_short_one: Vec<String> = [vec!["gone".to_owned()], texts.clone()].concat();
        assert_eq!(headers(&behind_a_short_one).len(), 17);
        let told = headers(&texts);
        assert_eq!(told.len(), 16);
        assert!(told.iter().all(|text| text.len() == "299 - \"\"".len() + 256), "{told:?}");
        // The text that exceeds the limit is told, whatever those before it have.
        let exact: Vec<String> = (10..30).map(|number| format!("{number}{}", "x".repeat(254))).collect();
        assert_eq!(headers(&exact[..16]).len(), 16);
        assert_eq!(headers(&exact).len(), 17);
    }
}
