//! Wrong servers: the correct embedded server with something changed, be it a function, the requests or the answers.

use std::{fmt, sync::Arc};

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Target, TargetDescription, TargetKind, Transport};
use crdible_reference::{Controllers, Options, Server};
use crdible_semantics::Upstream;
use http::{HeaderValue, Method, Uri, header, response::Parts};
use serde_json::{Value, json};

/// A server with some wrong functions, each in its area: `wrong!(Pruning { fn prune_array(…) {} })`.
macro_rules! wrong {
    ($($areas:tt)*) => {
        || {
            struct Wrong;
            crdible_semantics::implement_semantics!(Wrong; $($areas)*);
            crdible::connection::Target::embedded(std::sync::Arc::new(Wrong))
        }
    };
}

/// A correct server behind a wrong transport.
pub(crate) fn behind<T: Transport + 'static>(wrong: impl FnOnce(InProcess) -> T) -> Target {
    over(wrong(InProcess::new(Arc::new(Upstream))))
}

/// A correct server with wrong controllers of definitions.
pub(crate) fn controlled(controllers: impl Controllers + 'static) -> Target {
    let options = Options { controllers: Arc::new(controllers), ..Options::default() };
    over(InProcess::over(Server::with_options(Arc::new(Upstream), options)))
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
}

/// Changes the answers of a correct server: those about definitions, or all others.
pub(crate) struct ChangedAnswers {
    pub(crate) server: Arc<dyn Transport>,
    pub(crate) about_definitions: bool,
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
        if is_about_definitions(&request) != self.about_definitions {
            return self.server.send(request);
        }
        let asked = Asked {
            method: request.method().clone(),
            uri: request.uri().clone(),
            body: serde_json::from_slice(request.body()).unwrap_or_default(),
        };
        Box::pin(async move {
            let (head, bytes) = self.server.send(request).await?.into_parts();
            let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            let mut answer = Answer { head, body: body.clone() };
            (self.change)(&asked, &mut answer);
            let bytes = if answer.body == body { bytes } else { Bytes::from(answer.body.to_string()) };
            Ok(http::Response::from_parts(answer.head, bytes))
        })
    }
}

/// Replaces the JSON body of a request.
pub(crate) fn replace_body(request: &mut HttpRequest, body: &Value) {
    *request.body_mut() = Bytes::from(body.to_string());
}

/// An error without a useful message.
pub(crate) fn error(code: u16, reason: &str) -> http::Response<Bytes> {
    let status = json!({ "kind": "Status", "status": "Failure", "reason": reason, "message": "no", "code": code });
    http::Response::builder().status(code).body(Bytes::from(status.to_string())).unwrap_or_default()
}
