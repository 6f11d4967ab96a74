//! One exchange: from a request with real names to an answer, and a record of both.

use std::sync::Arc;

use bytes::Bytes;
use crdible_scenario::{
    Method,
    transcript::{Answer, FormOfBody, Refusal, summary},
};
use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode, Uri, header};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    connection::{Ended, Transport, TransportError, Unended, is_watch},
    marks::{DEFINITIONS, USER_AGENT},
};

/// What is sent, with real names.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    /// Path and query.
    pub(crate) path: String,
    pub(crate) accept: Option<String>,
    /// Unless it is the default of the method; empty if the header is left out.
    pub(crate) content_type: Option<String>,
    /// `If-None-Match`.
    pub(crate) if_none_match: Option<String>,
    /// The text of the body.
    pub(crate) body: Option<String>,
    /// Whether a WebSocket is asked for (REST-075).
    pub(crate) upgrade: bool,
}

impl Outgoing {
    pub(crate) fn new(method: Method, path: impl Into<String>) -> Self {
        let path = path.into();
        Self { method, path, accept: None, content_type: None, if_none_match: None, body: None, upgrade: false }
    }

    /// Whether it is a watch.
    fn is_watch(&self) -> bool {
        let query = self.path.split_once('?').map_or("", |(_, query)| query);
        self.method == Method::Get && is_watch(query)
    }

    pub(crate) fn with_body(self, body: &Value) -> Self {
        Self { body: Some(body.to_string()), ..self }
    }
}

/// What came back, still with real names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incoming {
    pub(crate) status: u16,
    pub(crate) warnings: Vec<String>,
    /// In which form the body is.
    pub(crate) form: Option<FormOfBody>,
    /// `ETag`.
    pub(crate) etag: Option<String>,
    /// Whether `Cache-Control` says that the body never changes.
    pub(crate) is_immutable: bool,
    /// The decoded body; `{"events": […]}` for a watch; a JSON string if it is neither JSON nor YAML.
    pub(crate) body: Value,
    /// How often the connection ended without an answer before.
    pub(crate) ended: u32,
    /// For how many seconds a stream was read that had not ended by then.
    pub(crate) unended: Option<u64>,
}

impl Incoming {
    pub(crate) fn is_accepted(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether the server rejected the user and not the request: the credentials are not accepted, as when a token has
    /// expired, or the authorizer denies the request. The message distinguishes that from a refusal of the request with
    /// the same code.
    pub(crate) fn is_unauthorized(&self) -> bool {
        let message = self.body.get("message").and_then(Value::as_str).unwrap_or_default();
        let says_no = || message.contains(" is forbidden: User ") && message.contains(" cannot ");
        self.status == 401 || (self.status == 403 && says_no())
    }

    /// A rejection in a few words.
    pub(crate) fn summary(&self) -> String {
        summary(self.status, &self.body)
    }
}

/// One exchange as a user would repeat it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// `GET`, `POST`, ….
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The relevant headers: `Content-Type`, `Accept` if it is not JSON, `If-None-Match`, and those of an upgrade.
    pub headers: Vec<(String, String)>,
    /// The text of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The code of the answer; 0 if there was none.
    pub status: u16,
    /// The body of the answer; a JSON string if it was not JSON.
    pub response: Value,
}

/// Sends one request and decodes the answer.
pub(crate) async fn exchange(transport: &Arc<dyn Transport>, outgoing: &Outgoing) -> Result<Incoming, TransportError> {
    let response = transport.send(request(outgoing)).await?;
    let (parts, body) = response.into_parts();
    Ok(Incoming {
        status: parts.status.as_u16(),
        warnings: warnings(&parts.headers),
        form: Some(form(&parts.headers)),
        etag: text_of(&parts.headers, header::ETAG),
        is_immutable: text_of(&parts.headers, header::CACHE_CONTROL).is_some_and(|text| text.contains("immutable")),
        body: decoded(outgoing, &parts.headers, &body),
        ended: parts.extensions.get::<Ended>().map_or(0, |ended| ended.times),
        unended: parts.extensions.get::<Unended>().map(|unended| unended.after.as_secs()),
    })
}

fn text_of(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// The body as a value if it is JSON, YAML that was requested, or `OpenAPI` v2 in protobuf; else its text. The events of a
/// watch are one value.
fn decoded(outgoing: &Outgoing, headers: &HeaderMap, body: &[u8]) -> Value {
    if outgoing.is_watch()
        && let Some(events) = events(body)
    {
        return json!({ "events": events });
    }
    if let Ok(value) = serde_json::from_slice(body) {
        return value;
    }
    let is_asked_for = outgoing.accept.as_deref().is_some_and(|accept| accept.contains("yaml"));
    if is_asked_for
        && form(headers).media_type() == "application/yaml"
        && let Ok(value) = crdible_reference::yaml::read(body)
    {
        return value;
    }
    let is_openapi = form(headers).media_type() == "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    if let Some(document) = is_openapi.then(|| crdible_reference::decode_openapi_v2(body)).flatten() {
        return document;
    }
    Value::String(String::from_utf8_lossy(body).into_owned())
}

/// The events of a stream; `None` if it is not a stream.
fn events(body: &[u8]) -> Option<Vec<Value>> {
    let is_event = |value: &Value| value.get("type").is_some_and(Value::is_string) && value.get("object").is_some();
    let values = serde_json::Deserializer::from_slice(body).into_iter::<Value>();
    values.map(|value| value.ok().filter(is_event)).collect()
}

/// The record of an exchange.
pub(crate) fn record(outgoing: &Outgoing, incoming: &Incoming) -> Exchange {
    Exchange {
        method: verb(outgoing.method).to_string(),
        path: outgoing.path.clone(),
        headers: headers(outgoing).map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        body: outgoing.body.clone(),
        status: incoming.status,
        response: incoming.body.clone(),
    }
}

/// The record of a request that got no answer, or only that the server gave up.
pub(crate) fn unanswered(outgoing: &Outgoing, error: &TransportError) -> Exchange {
    let incoming = match error {
        TransportError::GaveUp { answer, .. } => {
            let status = StatusCode::GATEWAY_TIMEOUT.as_u16();
            Incoming { status, body: (**answer).clone(), ..Incoming::default() }
        }
        _ => Incoming::default(),
    };
    record(outgoing, &incoming)
}

/// The record of the exchange in which a definition was rejected.
pub(crate) fn refused(outgoing: &Outgoing, refusal: &Refusal) -> Exchange {
    let Answer { status, warnings, body, .. } = refusal.answer.clone();
    record(outgoing, &Incoming { status, warnings, body, ..Incoming::default() })
}

/// The record of a POST of a definition that was rejected.
pub(crate) fn refused_definition(refusal: &Refusal) -> Exchange {
    refused(&Outgoing::new(Method::Post, DEFINITIONS).with_body(&refusal.document), refusal)
}

fn request(outgoing: &Outgoing) -> Request<Bytes> {
    let body = outgoing.body.as_ref().map_or_else(Bytes::new, |text| Bytes::copy_from_slice(text.as_bytes()));
    let mut request = Request::new(body);
    *request.method_mut() = verb(outgoing.method);
    *request.uri_mut() = uri(&outgoing.path);
    // In process, too: the server derives the field manager from it (REST-041).
    let own = [("User-Agent", USER_AGENT)].into_iter();
    let accept = outgoing.accept.is_none().then_some(("Accept", "application/json"));
    for (name, value) in own.chain(accept).chain(headers(outgoing)) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            request.headers_mut().insert(name, value);
        }
    }
    request
}

/// The headers in which requests differ.
fn headers(outgoing: &Outgoing) -> impl Iterator<Item = (&'static str, &str)> {
    let headers = [
        ("Content-Type", content_type(outgoing).filter(|_| outgoing.body.is_some())),
        ("Accept", outgoing.accept.as_deref()),
        ("If-None-Match", outgoing.if_none_match.as_deref()),
    ];
    let upgrade = UPGRADE.iter().filter(move |_| outgoing.upgrade).copied();
    headers.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(upgrade)
}

/// The headers that ask for a WebSocket, besides the origin, which the transport knows. The key only has to have its
/// length.
const UPGRADE: &[(&str, &str)] = &[
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "Y3JkaWJsZSBjcmRpYmxlIQ=="),
];

/// The path as a URI. It may come from a file: characters that are not legal in a URI are escaped. A text that
/// is still no URI must not become another path.
fn uri(path: &str) -> Uri {
    // The part after a `#` would be left out.
    let as_it_is = path.parse().ok().filter(|_| !path.contains('#'));
    as_it_is
        .or_else(|| utf8_percent_encode(path, ILLEGAL).to_string().parse().ok())
        .unwrap_or_else(|| Uri::from_static("/invalid-path"))
}

/// What is not legal in a URI.
const ILLEGAL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

pub(super) fn verb(method: Method) -> http::Method {
    match method {
        Method::Get => http::Method::GET,
        Method::Post => http::Method::POST,
        Method::Put => http::Method::PUT,
        Method::Delete => http::Method::DELETE,
        Method::MergePatch | Method::JsonPatch | Method::Apply => http::Method::PATCH,
    }
}

fn content_type(outgoing: &Outgoing) -> Option<&str> {
    if let Some(given) = &outgoing.content_type {
        return Some(given.as_str()).filter(|given| !given.is_empty());
    }
    match outgoing.method {
        Method::Get => None,
        Method::Post | Method::Put | Method::Delete => Some("application/json"),
        Method::MergePatch => Some("application/merge-patch+json"),
        Method::JsonPatch => Some("application/json-patch+json"),
        Method::Apply => Some("application/apply-patch+yaml"),
    }
}

fn form(headers: &HeaderMap) -> FormOfBody {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::to_owned);
    FormOfBody { content_type: text(header::CONTENT_TYPE), vary: text(header::VARY) }
}

/// The texts of `Warning: 299 - "<text>"` headers, unescaped (VER-013). One header may hold several, joined by commas.
fn warnings(headers: &HeaderMap) -> Vec<String> {
    headers
        .get_all(header::WARNING)
        .iter()
        .flat_map(|value| texts(&String::from_utf8_lossy(value.as_bytes())))
        .collect()
}

fn texts(header: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = header.chars();
    while rest.by_ref().any(|character| character == '"') {
        let mut text = String::new();
        while let Some(character) = rest.next() {
            match character {
                '\\' => text.extend(rest.next()),
                '"' => break,
                other => text.push(other),
            }
        }
        texts.push(text);
    }
    texts
}

#[cfg(test)]
mod tests {
    use crdible_scenario::Method;
    use http::{HeaderMap, HeaderValue, header};
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Outgoing, decoded, texts, uri};

    #[rstest]
    #[case::json_for_all(None, "application/json", "{\"a\": 1}", json!({ "a": 1 }))]
    #[case::yaml_for_one_who_asked(Some("application/yaml"), "application/yaml", "a: 1", json!({ "a": 1 }))]
    #[case::yaml_that_was_not_requested(None, "application/yaml", "a: 1", json!("a: 1"))]
    #[case::text(Some("application/yaml"), "text/plain", "a: 1", json!("a: 1"))]
    fn bodies(#[case] accept: Option<&str>, #[case] kind: &'static str, #[case] body: &str, #[case] expected: Value) {
        let outgoing = Outgoing { accept: accept.map(str::to_owned), ..Outgoing::new(Method::Get, "/") };
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))]);
        assert_eq!(decoded(&outgoing, &headers, body.as_bytes()), expected);
    }

    #[rstest]
    #[case::usual("/apis/g/v1/things/a?b=c%20d", "/apis/g/v1/things/a?b=c%20d")]
    #[case::spaces("/apis/g/v1/things/a b", "/apis/g/v1/things/a%20b")]
    #[case::fragment("/apis/g/v1/things/a#b", "/apis/g/v1/things/a%23b")]
    #[case::no_path("", "/invalid-path")]
    fn paths(#[case] path: &str, #[case] sent: &str) {
        assert_eq!(uri(path).to_string(), sent);
    }

    #[rstest]
    #[case::several("watch=1", "{\"type\":\"ADDED\",\"object\":{}}\n{\"type\":\"ERROR\",\"object\":{}}\n", 2)]
    #[case::one("a=b&watch=true", "{\"type\":\"ADDED\",\"object\":{}}\n", 1)]
    #[case::none("watch=1", "", 0)]
    fn events_of_a_watch(#[case] query: &str, #[case] body: &str, #[case] number: usize) {
        let of = |path: &str| decoded(&Outgoing::new(Method::Get, path), &HeaderMap::new(), body.as_bytes());
        assert_eq!(of(&format!("/things?{query}"))["events"].as_array().map(Vec::len), Some(number));
        assert_eq!(of("/things?watch=0").get("events"), None);
    }

    #[test]
    fn an_object_that_was_asked_for_like_a_watch_is_an_object() {
        let outgoing = Outgoing::new(Method::Get, "/things/a?watch=1");
        assert_eq!(decoded(&outgoing, &HeaderMap::new(), b"{\"kind\":\"A\"}"), json!({ "kind": "A" }));
    }

    #[rstest]
    #[case::one(r#"299 - "unknown field \"spec.x\"""#, &[r#"unknown field "spec.x""#])]
    #[case::two(r#"299 - "a", 299 - "b""#, &["a", "b"])]
    #[case::backslash(r#"299 - "a\\b""#, &[r"a\b"])]
    #[case::none("nothing quoted", &[])]
    fn warning_texts(#[case] header: &str, #[case] expected: &[&str]) {
        assert_eq!(texts(header), expected);
    }
}
