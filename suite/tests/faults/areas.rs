//! Servers that lack an area in a way that one request or one answer does not show: they remember what was
//! asked before.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::ready,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, RequestSummary, ResponseFuture, Transport, TransportError},
    webhook::Registry,
};
use http::{Method, Response};
use serde_json::{Value, json};

use crate::hooked::has;
use crate::server::{Answer, Asked, changed, error, is_about_definitions, replace_body, set_parameter};

/// The path of a definition or of an object, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// Group and plural, and the namespace if there is one.
    collection: String,
    version: String,
    name: Option<String>,
    subresource: Option<String>,
}

impl Place {
    fn of(path: &str) -> Option<Self> {
        let mut segments = path.strip_prefix("/apis/")?.split('/');
        let (group, version) = (segments.next()?, segments.next()?);
        let (namespace, plural) = match segments.next()? {
            "namespaces" => (segments.next()?, segments.next()?),
            plural => ("", plural),
        };
        let [name, subresource] = [segments.next(), segments.next()].map(|part| part.map(str::to_owned));
        Some(Self {
            collection: format!("{group}/{namespace}/{plural}"),
            version: version.to_owned(),
            name,
            subresource,
        })
    }

    /// The object, whatever the version.
    fn key(&self, name: &str) -> String {
        format!("{}/{name}", self.collection)
    }
}

/// Fills in no defaults of definitions: answers show of them only what a request stated.
#[derive(Debug)]
pub(crate) struct StatesOnly {
    pub(crate) server: Arc<dyn Transport>,
    /// What was stated, by the name of the definition.
    pub(crate) stated: Mutex<BTreeMap<String, BTreeSet<&'static str>>>,
}

/// What a server fills in (CRDVAL-007, CRDVAL-008).
const DEFAULTS: [&str; 3] = ["/spec/conversion", "/spec/names/singular", "/spec/names/listKind"];

impl StatesOnly {
    /// What is stated after a request, and whether that is stored.
    fn stated_by(&self, asked: &Asked, name: &str, is_main: bool) -> (BTreeSet<&'static str>, bool) {
        let before = self.stated.lock().unwrap().get(name).cloned().unwrap_or_default();
        let writes = !asked.has("dryRun=All");
        let says = |pointer: &&str| asked.body.pointer(pointer).is_some_and(|value| !value.is_null() && value != "");
        let names = |pointer: &&str| {
            let parents =
                asked.body.as_array().into_iter().flatten().filter_map(|operation| operation["path"].as_str());
            { parents }.any(|path| pointer.starts_with(path) || path.starts_with(*pointer))
        };
        let said = DEFAULTS.into_iter().filter(says);
        match asked.method {
            Method::POST => (said.collect(), writes),
            Method::PUT if is_main => (said.collect(), writes),
            Method::PATCH if is_main => {
                let named = DEFAULTS.into_iter().filter(names);
                (before.into_iter().chain(said).chain(named).collect(), writes)
            }
            _ => (before, false),
        }
    }

    fn forget(&self, asked: &Asked, answer: &mut Answer) {
        let Some(place) = Place::of(asked.uri.path()) else { return };
        if !answer.head.status.is_success() {
            return;
        }
        if let Some(items) = answer.body.get_mut("items").and_then(Value::as_array_mut) {
            let stated = self.stated.lock().unwrap();
            for item in items {
                let name = item.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
                drop_unstated(item, &stated.get(&name).cloned().unwrap_or_default());
            }
            return;
        }
        let Some(name) = answer.body.pointer("/metadata/name").and_then(Value::as_str).map(str::to_owned) else {
            return;
        };
        let (stated, is_stored) = self.stated_by(asked, &name, place.subresource.is_none());
        drop_unstated(&mut answer.body, &stated);
        if is_stored {
            self.stated.lock().unwrap().insert(name, stated);
        }
    }
}

fn drop_unstated(definition: &mut Value, stated: &BTreeSet<&'static str>) {
    for pointer in DEFAULTS.into_iter().filter(|pointer| !stated.contains(pointer)) {
        let parent = pointer.rsplit_once('/');
        let fields = parent.and_then(|(parent, name)| Some((definition.pointer_mut(parent)?.as_object_mut()?, name)));
        fields.and_then(|(fields, name)| fields.remove(name));
    }
}

impl Transport for StatesOnly {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if !is_about_definitions(&request) {
            return self.server.send(request);
        }
        let asked = Asked::of(&request);
        Box::pin(async move { Ok(changed(self.server.send(request).await?, |answer| self.forget(&asked, answer))) })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

/// Knows an object only at the version at which it was created.
#[derive(Debug)]
pub(crate) struct OneVersion {
    pub(crate) server: Arc<dyn Transport>,
    /// The version of each object.
    pub(crate) versions: Mutex<BTreeMap<String, String>>,
}

impl OneVersion {
    fn is_elsewhere(&self, place: &Place, name: &str) -> bool {
        self.versions.lock().unwrap().get(&place.key(name)).is_some_and(|version| *version != place.version)
    }

    fn note(&self, asked: &Asked, place: &Place, answer: &mut Answer) {
        if let Some(items) = answer.body.get_mut("items").and_then(Value::as_array_mut) {
            items.retain(|item| {
                let name = item.pointer("/metadata/name").and_then(Value::as_str);
                !name.is_some_and(|name| self.is_elsewhere(place, name))
            });
        }
        let name = answer.body.pointer("/metadata/name").and_then(Value::as_str);
        if let Some(name) = name.filter(|_| answer.head.status == 201 && !asked.has("dryRun=All")) {
            self.versions.lock().unwrap().insert(place.key(name), place.version.clone());
        }
    }
}

impl Transport for OneVersion {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let place = Place::of(request.uri().path()).filter(|_| !is_about_definitions(&request));
        let Some(place) = place else { return self.server.send(request) };
        let is_elsewhere = place.name.as_ref().is_some_and(|name| self.is_elsewhere(&place, name));
        let asked = Asked::of(&request);
        Box::pin(async move {
            if is_elsewhere {
                return Ok(error(404, "NotFound"));
            }
            Ok(changed(self.server.send(request).await?, |answer| self.note(&asked, &place, answer)))
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

/// Accepts a changed definition, shows it, and goes on serving the old one.
#[derive(Debug)]
pub(crate) struct FirstSpec {
    pub(crate) server: Arc<dyn Transport>,
    /// What definitions show: `spec` and `metadata.generation`.
    pub(crate) shown: Mutex<BTreeMap<String, (Value, Value)>>,
}

impl FirstSpec {
    /// Stores everything of an accepted update except the specification.
    async fn update(&self, request: HttpRequest) -> Result<Response<Bytes>, crdible::connection::TransportError> {
        let path = request.uri().path().to_owned();
        let mut tried = request;
        set_parameter(&mut tried, "dryRun", Some("All"));
        let answered = self.server.send(tried).await?;
        if !answered.status().is_success() {
            return Ok(answered);
        }
        let updated: Value = serde_json::from_slice(answered.body()).unwrap_or_default();
        let mut read = HttpRequest::default();
        *read.uri_mut() = path.parse().unwrap_or_default();
        let stored = self.server.send(read.clone()).await?;
        let stored: Value = serde_json::from_slice(stored.body()).unwrap_or_default();
        let mut kept = updated.clone();
        kept["spec"] = stored["spec"].clone();
        let mut write = read;
        *write.method_mut() = Method::PUT;
        write.headers_mut().insert("content-type", http::HeaderValue::from_static("application/json"));
        replace_body(&mut write, &kept);
        let written = self.server.send(write).await?;
        let written: Value = serde_json::from_slice(written.body()).unwrap_or_default();
        if updated["spec"] != stored["spec"] {
            let shown = (updated["spec"].clone(), updated["metadata"]["generation"].clone());
            self.shown.lock().unwrap().insert(name_of(&updated), shown);
        }
        Ok(changed(answered, |answer| {
            answer.body["metadata"]["resourceVersion"] = written["metadata"]["resourceVersion"].clone();
            self.show(&mut answer.body);
        }))
    }

    fn show(&self, definition: &mut Value) {
        if let Some((spec, generation)) = self.shown.lock().unwrap().get(&name_of(definition)) {
            definition["spec"] = spec.clone();
            definition["metadata"]["generation"] = generation.clone();
        }
    }
}

fn name_of(definition: &Value) -> String {
    definition.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

impl Transport for FirstSpec {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if !is_about_definitions(&request) {
            return self.server.send(request);
        }
        let asked = Asked::of(&request);
        let is_update = [Method::PUT, Method::PATCH].contains(&asked.method)
            && Place::of(asked.uri.path()).is_some_and(|place| place.subresource.is_none());
        if is_update && !asked.has("dryRun=All") {
            return Box::pin(self.update(request));
        }
        Box::pin(async move {
            Ok(changed(self.server.send(request).await?, |answer| {
                let is_read = asked.method == Method::GET && answer.head.status.is_success();
                match answer.body.get_mut("items").and_then(Value::as_array_mut) {
                    Some(items) => items.iter_mut().for_each(|item| self.show(item)),
                    None if is_read => self.show(&mut answer.body),
                    None => {}
                }
            }))
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

/// Shows no `resourceVersion`, and needs none.
#[derive(Debug)]
pub(crate) struct NoRevisions {
    pub(crate) server: Arc<dyn Transport>,
}

impl Transport for NoRevisions {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            let mut body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
            let revision = body.pointer("/metadata/resourceVersion").filter(|revision| !revision.is_null());
            if request.method() == Method::PUT && body["metadata"].is_object() && revision.is_none() {
                let mut read = HttpRequest::default();
                *read.uri_mut() = request.uri().path().parse().unwrap_or_default();
                let stored = self.server.send(read).await?;
                let stored: Value = serde_json::from_slice(stored.body()).unwrap_or_default();
                if let Some(revision) = stored.pointer("/metadata/resourceVersion") {
                    body["metadata"]["resourceVersion"] = json!(revision);
                    replace_body(&mut request, &body);
                }
            }
            Ok(changed(self.server.send(request).await?, |answer| {
                let lists = answer.body.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten();
                lists.for_each(drop_revision);
                drop_revision(&mut answer.body);
            }))
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

fn drop_revision(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("resourceVersion");
    }
}

/// Answers no watch in time.
#[derive(Debug)]
pub(crate) struct EndlessWatches {
    pub(crate) server: Arc<dyn Transport>,
}

impl Transport for EndlessWatches {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if !has(&request, "watch=") {
            return self.server.send(request);
        }
        let place = RequestSummary::new("the server", request.method(), request.uri());
        Box::pin(ready(Err(TransportError::Timeout { place, after: Duration::from_secs(30) })))
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}
