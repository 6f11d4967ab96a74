//! Wrong servers: the correct embedded server with something changed, be it a function or the answers.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use crdible::connection::{
    HttpRequest, InProcess, RequestSummary, Target, TargetDescription, TargetKind, TransportError,
};
use crdible_reference::{Controllers, NameDecision, Names, Options, Server, TakenNames};
use crdible_semantics::Semantics;
use http::{HeaderName, HeaderValue, Method, Response, StatusCode, Uri, header, response::Parts};
use serde_json::{Value, json};

use crate::{
    json::{elements, list, parsed},
    settings::release,
};

/// The right functions at the release of all servers. Wrong functions call them for what is right.
pub(crate) fn correct() -> Semantics {
    Semantics::at(release())
}

/// A server with these functions at the release of all servers.
pub(crate) fn embedded(semantics: Semantics) -> Target {
    Target::embedded(Semantics { release: release(), ..semantics })
}

/// A correct server with wrong controllers of definitions.
pub(crate) fn controlled(controllers: impl Controllers + 'static) -> Target {
    let controllers = Arc::new(controllers);
    built(|options| Options { controllers, ..options })
}

/// A correct server with other options.
pub(crate) fn built(change: impl FnOnce(Options) -> Options) -> Target {
    let server = InProcess::built(|options| Server::with_options(correct(), change(options)));
    let description = TargetDescription { kind: TargetKind::Embedded, address: None, version: None };
    Target::over(Arc::new(server), description)
}

/// A correct server that accepts names of definitions as this decides: by those that are requested, those that are
/// accepted, and those that others have.
pub(crate) fn accepting(
    decide: impl Fn(&Names, &Names, &TakenNames) -> NameDecision + Send + Sync + 'static,
) -> Target {
    controlled(Accepting(decide))
}

struct Accepting<F>(F);

impl<F: Fn(&Names, &Names, &TakenNames) -> NameDecision + Send + Sync> Controllers for Accepting<F> {
    fn accept_names(&self, requested: &Names, accepted: &Names, taken: &TakenNames) -> NameDecision {
        (self.0)(requested, accepted, taken)
    }
}

/// A correct server that lists the versions in which objects are stored as this says: by those that are listed, and the
/// storage version.
pub(crate) fn listing(list: impl Fn(&[String], &str) -> Vec<String> + Send + Sync + 'static) -> Target {
    controlled(Listing(list))
}

struct Listing<F>(F);

impl<F: Fn(&[String], &str) -> Vec<String> + Send + Sync> Controllers for Listing<F> {
    fn stored_versions(&self, listed: &[String], storage: &str) -> Vec<String> {
        (self.0)(listed, storage)
    }
}

/// The request of an answer.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    /// Null if there is none.
    pub(crate) body: Value,
}

/// An answer that is being changed.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) head: Parts,
    /// Null if it is no JSON.
    pub(crate) body: Value,
}

impl Asked {
    pub(crate) fn of(request: &HttpRequest) -> Self {
        Self { method: request.method().clone(), uri: request.uri().clone(), body: parsed(request.body()) }
    }

    /// Whether the query has this parameter with this value: `has_parameter("fieldValidation=Warn")`.
    pub(crate) fn has_parameter(&self, parameter: &str) -> bool {
        self.uri.query().is_some_and(|query| query.split('&').any(|other| other == parameter))
    }

    /// Whether the path ends like this: `ends_with("/status")`.
    pub(crate) fn ends_with(&self, end: &str) -> bool {
        self.uri.path().ends_with(end)
    }

    /// Whether it is a PUT or a patch.
    pub(crate) fn is_put_or_patch(&self) -> bool {
        [Method::PUT, Method::PATCH].contains(&self.method)
    }
}

impl Answer {
    /// The objects of a list. Discovery has items in one of its forms, too.
    pub(crate) fn items(&mut self) -> impl Iterator<Item = &mut Value> {
        let is_list = self.body["kind"] == "ThingList";
        elements(&mut self.body, "/items").filter(move |_| is_list)
    }

    /// The causes of an error.
    pub(crate) fn causes(&mut self) -> Option<&mut Vec<Value>> {
        list(&mut self.body, "/details/causes")
    }

    pub(crate) fn is_success(&self) -> bool {
        self.head.status.is_success()
    }

    /// Shows this as a success.
    pub(crate) fn succeed(&mut self, body: Value) {
        self.head.status = StatusCode::OK;
        self.body = body;
    }

    /// Becomes an error without a useful message.
    pub(crate) fn fail(&mut self, code: u16, reason: &str) {
        self.head.status = StatusCode::from_u16(code).unwrap();
        self.body = status(code, reason);
    }

    /// Sets a header.
    pub(crate) fn set(&mut self, name: HeaderName, value: &str) {
        self.head.headers.insert(name, HeaderValue::from_str(value).unwrap());
    }

    /// The text of a header; empty if there is none.
    pub(crate) fn header(&self, name: &HeaderName) -> &str {
        self.head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Changes the warnings, or removes those for which `change` returns nothing.
    pub(crate) fn change_warnings(&mut self, change: impl Fn(&str) -> Option<String>) {
        let warnings: Vec<HeaderValue> = self.head.headers.get_all(header::WARNING).iter().cloned().collect();
        self.head.headers.remove(header::WARNING);
        for warning in warnings {
            let changed = change(&String::from_utf8_lossy(warning.as_bytes()));
            self.head.headers.extend(changed.map(|text| (header::WARNING, HeaderValue::try_from(text).unwrap())));
        }
    }

    /// Removes the warnings that contain a text.
    pub(crate) fn remove_warnings(&mut self, containing: &str) {
        self.change_warnings(|text| (!text.contains(containing)).then(|| text.to_owned()));
    }

    /// Adds a warning.
    pub(crate) fn warn(&mut self, text: &'static str) {
        self.head.headers.append(header::WARNING, HeaderValue::from_static(text));
    }
}

/// An answer with this change. A body that becomes a string is sent as plain text.
pub(crate) fn changed(answered: Response<Bytes>, change: impl FnOnce(&mut Answer)) -> Response<Bytes> {
    let (head, bytes) = answered.into_parts();
    let body = parsed(&bytes);
    let mut answer = Answer { head, body: body.clone() };
    change(&mut answer);
    let bytes = match &answer.body {
        same if *same == body => bytes,
        Value::String(text) => {
            answer.head.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
            Bytes::from(text.clone())
        }
        other => Bytes::from(other.to_string()),
    };
    Response::from_parts(answer.head, bytes)
}

/// An answer with this body.
pub(crate) fn success(body: &Value) -> Response<Bytes> {
    Response::new(Bytes::from(body.to_string()))
}

/// An error without a useful message.
pub(crate) fn error(code: u16, reason: &str) -> Response<Bytes> {
    let body = Bytes::from(status(code, reason).to_string());
    Response::builder().status(code).body(body).unwrap_or_default()
}

/// No answer within the time of a request.
pub(crate) fn late(request: &HttpRequest) -> Result<Response<Bytes>, TransportError> {
    let place = RequestSummary::new("the server", request.method(), request.uri());
    Err(TransportError::Timeout { place, after: Duration::from_secs(10) })
}

fn status(code: u16, reason: &str) -> Value {
    json!({ "kind": "Status", "status": "Failure", "reason": reason, "message": "no", "code": code })
}

/// Shows all that was sent, except for metadata.
pub(crate) fn show_sent_fields(asked: &Asked, answer: &mut Answer) {
    if let (true, Value::Object(sent), Value::Object(shown)) = (answer.is_success(), &asked.body, &mut answer.body) {
        let sent = sent.iter().filter(|(key, _)| *key != "metadata");
        shown.extend(sent.map(|(key, value)| (key.clone(), value.clone())));
    }
}
