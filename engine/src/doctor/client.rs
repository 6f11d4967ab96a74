//! A small client for the few requests of `doctor` and preflight.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use serde_json::Value;

use crate::connection::{
    BackoffOptions, BackoffTransport, RequestSummary, Target, TargetError, Transport, TransportError, redact,
};

/// A target that is sent JSON and answers with JSON.
#[derive(Debug)]
pub(super) struct Client {
    transport: BackoffTransport,
    address: String,
    /// The time limit of a request, if it is shorter than that of the target.
    limit: Option<Duration>,
}

/// An answer and its request.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) request: String,
    pub(super) address: String,
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Client {
    /// A client for `target` that honours `Retry-After` for at most `patience`.
    pub(super) fn new(target: &Target, patience: Duration) -> Self {
        let obedience = BackoffOptions { patience, ..BackoffOptions::default() };
        Self { transport: target.with_backoff(obedience), address: target.description.shown().to_owned(), limit: None }
    }

    /// The same with a time limit for each request.
    pub(super) fn within(self, limit: Duration) -> Self {
        Self { limit: Some(limit), ..self }
    }

    pub(super) async fn get(&self, path: &str) -> Result<Answer, TransportError> {
        self.get_as(path, "application/json").await
    }

    pub(super) async fn get_as(&self, path: &str, accept: &str) -> Result<Answer, TransportError> {
        self.exchange(Method::GET, path, accept, None).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Answer, TransportError> {
        self.exchange(Method::POST, path, "application/json", Some(("application/json", body))).await
    }

    pub(super) async fn merge_patch(&self, path: &str, body: &Value) -> Result<Answer, TransportError> {
        self.exchange(Method::PATCH, path, "application/json", Some(("application/merge-patch+json", body))).await
    }

    pub(super) async fn put(&self, path: &str, body: &Value) -> Result<Answer, TransportError> {
        self.exchange(Method::PUT, path, "application/json", Some(("application/json", body))).await
    }

    pub(super) async fn delete(&self, path: &str, options: Option<&Value>) -> Result<Answer, TransportError> {
        let body = options.map(|options| ("application/json", options));
        self.exchange(Method::DELETE, path, "application/json", body).await
    }

    async fn exchange(
        &self,
        method: Method,
        path: &str,
        accept: &str,
        body: Option<(&str, &Value)>,
    ) -> Result<Answer, TransportError> {
        let described = format!("{method} {path}");
        let mut builder = Request::builder().method(method).uri(path).header(header::ACCEPT, accept);
        let mut bytes = Bytes::new();
        if let Some((content_type, value)) = body {
            builder = builder.header(header::CONTENT_TYPE, content_type);
            bytes = Bytes::from(value.to_string());
        }
        let place = || RequestSummary { address: self.address.clone(), request: described.clone() };
        let request = builder
            .body(bytes)
            .map_err(|error| TransportError::Unsendable { place: place(), detail: error.to_string() })?;
        let answered = self.transport.send(request);
        let response = match self.limit {
            None => answered.await?,
            Some(after) => tokio::time::timeout(after, answered)
                .await
                .map_err(|_| TransportError::Timeout { place: place(), after })??,
        };
        let (head, body) = response.into_parts();
        Ok(Answer {
            request: described,
            address: self.address.clone(),
            status: head.status,
            headers: head.headers,
            body,
        })
    }
}

impl Answer {
    /// The body, if it is a JSON object.
    pub(super) fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok().filter(Value::is_object)
    }

    /// The body if the request succeeded and returned a JSON object.
    ///
    /// # Errors
    /// The error that the answer stands for.
    pub(super) fn accepted(&self) -> Result<Value, TargetError> {
        match self.json() {
            Some(body) if self.status.is_success() => Ok(body),
            _ => Err(self.refusal()),
        }
    }

    /// Whether it is an error in the form of REST-005.
    pub(super) fn is_kubernetes_status(&self) -> bool {
        self.json().is_some_and(|body| body["kind"] == "Status" && body["apiVersion"] == "v1")
    }

    /// The error for an unsuccessful answer.
    pub(super) fn refusal(&self) -> TargetError {
        let (address, request) = (self.address.clone(), self.request.clone());
        match self.status {
            StatusCode::UNAUTHORIZED => TargetError::Unauthorized {
                address,
                request,
                message: self.message(),
                advice: "the token or certificate is missing, has expired, or belongs to another server: log in \
                         again, or pass --token or another --context",
            },
            StatusCode::FORBIDDEN => TargetError::Forbidden { address, request, message: self.message() },
            _ => TargetError::Unexpected { address, request, seen: self.seen() },
        }
    }

    /// The server's own message, shortened.
    pub(super) fn message(&self) -> String {
        match self.json().as_ref().and_then(|body| body["message"].as_str()) {
            Some(message) if !message.is_empty() => shorten(message),
            _ => "no explanation".to_owned(),
        }
    }

    /// Request and answer in a few words.
    pub(super) fn described(&self) -> String {
        format!("{} returned {}", self.request, self.seen())
    }

    /// The answer in a few words: status, form, beginning.
    pub(super) fn seen(&self) -> String {
        let status = self.status;
        if status.is_redirection() {
            let location = self.headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
            let location = location.map_or_else(|| "nowhere".to_owned(), redact);
            return format!("{status}, a redirect to {location}");
        }
        if self.body.is_empty() {
            return format!("{status} with an empty body");
        }
        if let Some(body) = self.json() {
            return match (body["kind"].as_str(), body["message"].as_str()) {
                (Some("Status"), Some(message)) => format!("{status}: {}", shorten(message)),
                (Some(kind), _) => {
                    let article = if kind.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
                    format!("{status} with {article} {}", shorten(kind))
                }
                _ => format!("{status} with other JSON: {}", shorten(&body.to_string())),
            };
        }
        let text = String::from_utf8_lossy(&self.body[..self.body.len().min(1000)]);
        let start = text.trim_start().to_ascii_lowercase();
        let form = if start.starts_with("<!doctype html") || start.starts_with("<html") { "HTML" } else { "text" };
        format!("{status} with {form}: {}", shorten(&text))
    }
}

/// At most 160 characters, on one line, without control characters.
fn shorten(text: &str) -> String {
    let clean: String = text.chars().take(1000).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(160) {
        Some((cut, _)) => format!("{}…", &words[..cut]),
        None => words,
    }
}
