//! A server that stores whatever is written, and does one thing or another besides.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use crdible::connection::{
    RequestSummary, ResponseFuture, Target, TargetDescription, TargetKind, Transport, TransportError,
};
use http::{Method, Request, Response};
use serde_json::{Value, json};

pub(super) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// How long a request waits for its answer.
const REQUEST: Duration = Duration::from_secs(30);

/// Stores whatever is written, at its path, and checks nothing.
#[derive(Debug, Default)]
pub(super) struct Mock {
    stored: Mutex<BTreeMap<String, Value>>,
    does: &'static [Does],
    /// How often objects were listed.
    pub(super) lists: AtomicUsize,
    /// Whether something was written.
    is_written: AtomicBool,
}

/// What a mock may do besides.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// Definitions get the condition Established.
    Establish,
    /// Answers 404 to whatever is not about definitions.
    ServeNothing,
    /// Stores nothing on dry run.
    DryRun,
    /// Answers 200 to each DELETE.
    DeleteAnything,
    /// Loses the labels of definitions.
    LoseLabels,
    /// Objects get a uid and a resourceVersion.
    Identify,
    /// Answers writes too late.
    Hang,
    /// Never answers a write.
    NeverAnswerWrites,
    /// Never answers anything once something was written.
    NeverAnswerAgain,
    /// Closes the connection instead of serving `OpenAPI`.
    BreakOpenApi,
    /// Lists in discovery what is defined.
    Discover,
    /// Answers 500 to deletions of definitions.
    KeepDefinitions,
    /// Answers this to a PATCH of an object.
    AnswerPatches(u16),
    /// Answers this to definitions that are invalid.
    AnswerInvalid(u16),
    /// Rejects objects with 400 and a text.
    RejectAsText,
    /// Keeps its objects whatever is deleted, apart from those that are only tried.
    KeepObjects,
    /// Answers 404 to a GET of the objects by which rates are measured.
    HideMany,
    /// Lists no objects.
    ListNothing,
    /// Answers 500 to lists of objects.
    HideLists,
}

impl Mock {
    pub(super) fn that(does: &'static [Does]) -> Self {
        Self { does, ..Self::default() }
    }

    pub(super) fn does(&self, what: &Does) -> bool {
        self.does.contains(what)
    }

    /// The paths of what is stored.
    pub(super) fn paths(&self) -> Vec<String> {
        self.stored.lock().unwrap().keys().cloned().collect()
    }

    fn answer(&self, request: &Request<Bytes>) -> (u16, Value) {
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
        let status = |code| {
            let message = if code == 403 { "it is forbidden: User \"eve\" cannot do it" } else { "not found" };
            (code, json!({ "kind": "Status", "apiVersion": "v1", "message": message }))
        };
        let absent = || status(404);
        if path == "/version" {
            return absent();
        }
        if self.does(&Does::ServeNothing) && !path.starts_with(DEFINITIONS) {
            return absent();
        }
        let sent: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        for what in self.does {
            match what {
                Does::AnswerPatches(code) if request.method() == Method::PATCH && !path.starts_with(DEFINITIONS) => {
                    return status(*code);
                }
                Does::AnswerInvalid(code) if !sent.is_null() && path == DEFINITIONS && is_invalid(&sent) => {
                    return status(*code);
                }
                Does::RejectAsText if sent["spec"]["a"] == "text" || sent["spec"]["c"] == "blue" => {
                    return (400, json!("no"));
                }
                Does::KeepDefinitions if request.method() == Method::DELETE && path.starts_with(DEFINITIONS) => {
                    return status(500);
                }
                Does::KeepObjects if request.method() == Method::DELETE && is_kept(path) => return status(200),
                Does::HideLists if request.method() == Method::GET && path.ends_with("/things") => return status(500),
                Does::HideMany if request.method() == Method::GET && path.contains("/rate-") => return absent(),
                _ => {}
            }
        }
        let mut stored = self.stored.lock().unwrap();
        if self.does(&Does::Discover)
            && let Some(document) = discovery(path, stored.values())
        {
            return (200, document);
        }
        match *request.method() {
            Method::POST => {
                let mut new = sent;
                // It reads JSON only, and generates no names.
                let Some(name) = new["metadata"]["name"].as_str() else { return status(415) };
                let path = format!("{path}/{name}");
                if stored.contains_key(&path) {
                    return (409, json!({ "kind": "Status", "apiVersion": "v1", "message": "exists" }));
                }
                if self.does(&Does::Establish) {
                    new["status"]["conditions"] = json!([{ "type": "Established", "status": "True" }]);
                }
                if self.does(&Does::Identify) {
                    new["metadata"]["uid"] = json!(path);
                    new["metadata"]["resourceVersion"] = json!("1");
                }
                if self.does(&Does::LoseLabels) {
                    new["metadata"]["labels"].take();
                }
                if !(self.does(&Does::DryRun) && query.contains("dryRun=All")) {
                    stored.insert(path, new.clone());
                }
                (201, new)
            }
            Method::DELETE => match stored.remove(path) {
                None if !self.does(&Does::DeleteAnything) => absent(),
                _ => (200, json!({ "kind": "Status", "apiVersion": "v1", "status": "Success" })),
            },
            Method::PATCH => match stored.get_mut(path) {
                None => absent(),
                Some(found) => {
                    found["spec"] = sent["spec"].clone();
                    (200, found.clone())
                }
            },
            _ if path.ends_with("definitions") || path.ends_with("/things") => {
                self.lists.fetch_add(usize::from(path.ends_with("/things")), Ordering::Relaxed);
                if self.does(&Does::ListNothing) && path.ends_with("/things") {
                    return (200, json!({ "kind": "List", "apiVersion": "v1", "items": [] }));
                }
                let prefix = format!("{path}/");
                let items: Vec<_> = stored.iter().filter(|(path, _)| path.starts_with(&prefix)).collect();
                let items: Vec<_> = items.into_iter().map(|(_, item)| item).collect();
                (200, json!({ "kind": "List", "apiVersion": "v1", "items": items }))
            }
            _ => stored.get(path).map_or_else(absent, |found| (200, found.clone())),
        }
    }
}

/// Whether a definition has no scope that exists.
fn is_invalid(definition: &Value) -> bool {
    !["Cluster", "Namespaced"].iter().any(|scope| definition["spec"]["scope"] == *scope)
}

/// Whether it is the path of an object by which rates are measured.
fn is_kept(path: &str) -> bool {
    path.contains("/things/rate-")
}

/// What discovery says at this path, if it is about definitions of this server.
fn discovery<'a>(path: &str, stored: impl Iterator<Item = &'a Value>) -> Option<Value> {
    let groups: Vec<&Value> = stored.filter_map(|item| item.pointer("/spec/group")).collect();
    let entry = |group: &Value| {
        let version = json!({ "groupVersion": format!("{}/v1", group.as_str().unwrap()), "version": "v1" });
        json!({ "kind": "APIGroup", "name": group, "versions": [version], "preferredVersion": version })
    };
    if path == "/apis" {
        let entries: Vec<Value> = groups.into_iter().map(entry).collect();
        return Some(json!({ "kind": "APIGroupList", "groups": entries }));
    }
    let mut segments = path.strip_prefix("/apis/")?.split('/');
    let name = segments.next()?;
    let group = groups.into_iter().find(|group| *group == name)?;
    match (segments.next(), segments.next()) {
        (None, _) => Some(entry(group)),
        (Some("v1"), None) => Some(json!({ "kind": "APIResourceList", "resources": [{ "name": "things" }] })),
        _ => None,
    }
}

impl Transport for Mock {
    fn send(&self, request: Request<Bytes>) -> ResponseFuture<'_> {
        let place = RequestSummary::new("http://mock", request.method(), request.uri());
        let writes = request.method() != Method::GET;
        let is_written = self.is_written.fetch_or(writes, Ordering::Relaxed) || writes;
        if writes && self.does(&Does::NeverAnswerWrites) || is_written && self.does(&Does::NeverAnswerAgain) {
            return Box::pin(std::future::pending());
        }
        if writes && self.does(&Does::Hang) {
            return Box::pin(async {
                // As long as a connection waits for an answer.
                tokio::time::sleep(REQUEST).await;
                Err(TransportError::Timeout { place, after: REQUEST })
            });
        }
        if self.does(&Does::BreakOpenApi) && request.uri().path().starts_with("/openapi") {
            let closed = TransportError::Closed { place, detail: "EOF".to_owned(), is_received: false, advice: "" };
            return Box::pin(std::future::ready(Err(closed)));
        }
        let (status, body) = self.answer(&request);
        let response = Response::builder().status(status).header("content-type", "application/json");
        Box::pin(std::future::ready(Ok(response.body(Bytes::from(body.to_string())).unwrap())))
    }
}

/// A target that is this server.
pub(super) fn target(mock: Arc<Mock>) -> Target {
    Target::over(mock, TargetDescription { kind: TargetKind::Server, address: None, version: None })
}
