//! Wrong servers: the correct embedded server with something changed, be it a function, the requests or the answers.

use std::{fmt, sync::Arc};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, InProcess, ResponseFuture, Target, TargetDescription, TargetKind, Transport},
    webhook::Registry,
};
use crdible_reference::{Controllers, Options, Server};
use crdible_semantics::Semantics;
use http::{HeaderValue, Method, Response, Uri, header, response::Parts};
use serde_json::{Value, json};

use crate::settings::release;

/// The right functions at the release of all servers. Wrong functions call them for what is right.
pub(crate) fn correct() -> Semantics {
    Semantics::at(release())
}

/// A server with these functions at the release of all servers.
pub(crate) fn embedded(semantics: Semantics) -> Target {
    Target::embedded(Semantics { release: release(), ..semantics })
}

/// A correct server behind a wrong transport.
pub(crate) fn behind<T: Transport + 'static>(wrong: impl FnOnce(InProcess) -> T) -> Target {
    over(wrong(InProcess::new(correct())))
}

/// A correct server with wrong controllers of definitions.
pub(crate) fn controlled(controllers: impl Controllers + 'static) -> Target {
    let controllers = Arc::new(controllers);
    over(InProcess::built(|options| Server::with_options(correct(), Options { controllers, ..options })))
}

pub(crate) fn over(transport: impl Transport + 'static) -> Target {
    let description = TargetDescription { kind: TargetKind::Embedded, address: None, version: None };
    Target::over(Arc::new(transport), description)
}

pub(crate) fn is_about_definitions(request: &HttpRequest) -> bool {
    request.uri().path().starts_with("/apis/apiextensions.k8s.io")
}

/// Changes each request on its way to a correct server.
pub(crate) struct ChangedRequests {
    pub(crate) server: Arc<dyn Transport>,
    pub(crate) change: fn(&mut HttpRequest),
}

impl fmt::Debug for ChangedRequests {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChangedRequests").finish_non_exhaustive()
    }
}

impl Transport for ChangedRequests {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        (self.change)(&mut request);
        self.server.send(request)
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

/// What answers are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Definitions,
    /// Objects and discovery.
    Others,
    Everything,
}

/// Changes the answers of a correct server.
pub(crate) struct ChangedAnswers {
    pub(crate) server: Arc<dyn Transport>,
    pub(crate) about: About,
    pub(crate) change: fn(&Asked, &mut Answer),
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
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            body: serde_json::from_slice(request.body()).unwrap_or_default(),
        }
    }

    /// Whether the query has this parameter with this value: `has("fieldValidation=Warn")`.
    pub(crate) fn has(&self, parameter: &str) -> bool {
        self.uri.query().is_some_and(|query| query.split('&').any(|other| other == parameter))
    }
}

impl Answer {
    /// The objects of a list. Discovery has items in one of its forms, too.
    pub(crate) fn items(&mut self) -> impl Iterator<Item = &mut Value> {
        let is_list = self.body["kind"] == "ThingList";
        self.body.get_mut("items").and_then(Value::as_array_mut).filter(|_| is_list).into_iter().flatten()
    }

    /// The causes of an error.
    pub(crate) fn causes(&mut self) -> Option<&mut Vec<Value>> {
        self.body.pointer_mut("/details/causes")?.as_array_mut()
    }

    /// Removes the warnings that contain a text.
    pub(crate) fn remove_warnings(&mut self, containing: &str) {
        let warnings: Vec<HeaderValue> = self.head.headers.get_all(header::WARNING).iter().cloned().collect();
        self.head.headers.remove(header::WARNING);
        for warning in warnings {
            if !String::from_utf8_lossy(warning.as_bytes()).contains(containing) {
                self.head.headers.append(header::WARNING, warning);
            }
        }
    }

    /// Adds a warning.
    pub(crate) fn warn(&mut self, text: &'static str) {
        self.head.headers.append(header::WARNING, HeaderValue::from_static(text));
    }
}

impl fmt::Debug for ChangedAnswers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChangedAnswers").finish_non_exhaustive()
    }
}

impl Transport for ChangedAnswers {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_changed = match self.about {
            About::Definitions => is_about_definitions(&request),
            About::Others => !is_about_definitions(&request),
            About::Everything => true,
        };
        if !is_changed {
            return self.server.send(request);
        }
        let asked = Asked::of(&request);
        Box::pin(async move {
            let answered = self.server.send(request).await?;
            Ok(changed(answered, |answer| (self.change)(&asked, answer)))
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

/// An answer with this change. A body that becomes a string is sent as plain text.
pub(crate) fn changed(answered: Response<Bytes>, change: impl FnOnce(&mut Answer)) -> Response<Bytes> {
    let (head, bytes) = answered.into_parts();
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
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

/// Replaces the values of a parameter of a query, or removes it. The rest of the query stays as it is.
pub(crate) fn set_parameter(request: &mut HttpRequest, name: &str, value: Option<&str>) {
    let parameters = request.uri().query().unwrap_or_default().split('&');
    let others = parameters.filter(|other| !other.is_empty() && other.split('=').next() != Some(name));
    let set = value.map(|value| format!("{name}={value}"));
    let query = others.map(str::to_owned).chain(set).collect::<Vec<_>>().join("&");
    let path = request.uri().path();
    let uri = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    *request.uri_mut() = uri.parse().unwrap_or_default();
}

/// Replaces the JSON body of a request.
pub(crate) fn replace_body(request: &mut HttpRequest, body: &Value) {
    *request.body_mut() = Bytes::from(body.to_string());
}

/// An error without a useful message.
pub(crate) fn error(code: u16, reason: &str) -> Response<Bytes> {
    let status = json!({ "kind": "Status", "status": "Failure", "reason": reason, "message": "no", "code": code });
    Response::builder().status(code).body(Bytes::from(status.to_string())).unwrap_or_default()
}

/// Shows all that was sent, except for metadata.
pub(crate) fn show_sent_fields(asked: &Asked, answer: &mut Answer) {
    if let (true, Value::Object(sent), Value::Object(shown)) =
        (answer.head.status.is_success(), &asked.body, &mut answer.body)
    {
        let sent = sent.iter().filter(|(key, _)| *key != "metadata");
        shown.extend(sent.map(|(key, value)| (key.clone(), value.clone())));
    }
}
