//! Servers that lack an area in a way that one request or one answer does not show: they remember what was
//! asked before.

use std::{collections::BTreeSet, future::ready, time::Duration};

use bytes::Bytes;
use crdible::connection::{HttpRequest, ResponseFuture, TransportError, Unended};
use http::{Method, Response, header};
use serde_json::{Value, json};

use crate::{
    json::{elements, list, parsed, remove, text},
    layer::Layered,
    sent::{body_of, is_about_definitions, is_watch, put_instead, query_contains, read, with_body},
    server::{Asked, changed, error, late},
};

/// The path of a definition or of an object, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PathParts {
    /// Group and plural, and the namespace if there is one.
    collection: String,
    version: String,
    name: Option<String>,
    subresource: Option<String>,
}

impl PathParts {
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

/// What a server fills in (CRDVAL-007, CRDVAL-008).
const DEFAULTS: [&str; 3] = ["/spec/conversion", "/spec/names/singular", "/spec/names/listKind"];

/// Fills in no defaults of definitions: answers show of them only what a request stated. What was stated is remembered
/// by the name of the definition.
pub(crate) fn show_what_is_stated(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    if !is_about_definitions(&request) {
        return Box::pin(server.pass(request));
    }
    let asked = Asked::of(&request);
    Box::pin(async move {
        server
            .answer(request, |answer| {
                let parts = PathParts::of(asked.uri.path());
                let Some(parts) = parts.filter(|_| answer.is_success()) else { return };
                if answer.body["items"].is_array() {
                    for item in elements(&mut answer.body, "/items") {
                        drop_unstated(item, &stated(server, text(item, "/metadata/name")));
                    }
                    return;
                }
                let name = text(&answer.body, "/metadata/name").to_owned();
                if !name.is_empty() {
                    let before = stated(server, &name);
                    let (stated, is_stored) = stated_by(&asked, before, parts.subresource.is_none());
                    drop_unstated(&mut answer.body, &stated);
                    if is_stored {
                        server.note(&name, json!(stated));
                    }
                }
            })
            .await
    })
}

fn stated(server: &Layered, name: &str) -> BTreeSet<&'static str> {
    let noted = server.noted(name).unwrap_or_default();
    DEFAULTS
        .into_iter()
        .filter(|pointer| noted.as_array().is_some_and(|stated| stated.contains(&json!(pointer))))
        .collect()
}

/// What is stated after a request, and whether that is stored.
fn stated_by(asked: &Asked, before: BTreeSet<&'static str>, is_main: bool) -> (BTreeSet<&'static str>, bool) {
    let writes = !asked.has_parameter("dryRun=All");
    let says = |pointer: &&str| asked.body.pointer(pointer).is_some_and(|value| !value.is_null() && value != "");
    let names = |pointer: &&str| {
        let operations = asked.body.as_array().into_iter().flatten();
        let mut paths = operations.filter_map(|operation| operation["path"].as_str());
        paths.any(|path| pointer.starts_with(path) || path.starts_with(*pointer))
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

fn drop_unstated(definition: &mut Value, stated: &BTreeSet<&'static str>) {
    for pointer in DEFAULTS.into_iter().filter(|pointer| !stated.contains(pointer)) {
        remove(definition, pointer);
    }
}

/// Knows an object only at the version at which it was created.
pub(crate) fn keep_at_one_version(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    let Some(parts) = PathParts::of(request.uri().path()) else { return Box::pin(server.pass(request)) };
    let asked = Asked::of(&request);
    Box::pin(async move {
        let is_elsewhere = |name: &str| server.noted(&parts.key(name)).is_some_and(|version| version != parts.version);
        if parts.name.as_deref().is_some_and(is_elsewhere) {
            return Ok(error(404, "NotFound"));
        }
        server
            .answer(request, |answer| {
                if let Some(items) = list(&mut answer.body, "/items") {
                    items.retain(|item| !is_elsewhere(text(item, "/metadata/name")));
                }
                let name = text(&answer.body, "/metadata/name");
                if answer.head.status == 201 && !name.is_empty() && !asked.has_parameter("dryRun=All") {
                    server.note(&parts.key(name), parts.version.as_str());
                }
            })
            .await
    })
}

/// Accepts a changed definition, shows it, and goes on serving the old one. What definitions show is remembered: `spec`
/// and `metadata.generation`.
pub(crate) fn serve_the_first_schema(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    if !is_about_definitions(&request) {
        return Box::pin(server.pass(request));
    }
    let asked = Asked::of(&request);
    let is_main = PathParts::of(asked.uri.path()).is_some_and(|parts| parts.subresource.is_none());
    if asked.is_put_or_patch() && is_main && !asked.has_parameter("dryRun=All") {
        return Box::pin(update(server, request));
    }
    Box::pin(async move {
        server
            .answer(request, |answer| {
                if answer.body["items"].is_array() {
                    elements(&mut answer.body, "/items").for_each(|item| show(server, item));
                } else if asked.method == Method::GET && answer.is_success() {
                    show(server, &mut answer.body);
                }
            })
            .await
    })
}

/// Stores everything of an accepted update except the specification.
async fn update(server: &Layered, request: HttpRequest) -> Result<Response<Bytes>, TransportError> {
    let path = request.uri().path().to_owned();
    let answered = server.try_out(request).await?;
    if !answered.status().is_success() {
        return Ok(answered);
    }
    let updated = parsed(answered.body());
    let stored = server.get(&path).await?;
    let mut kept = updated.clone();
    kept["spec"] = stored["spec"].clone();
    let written = parsed(server.pass(put_instead(&read(&path), &kept)).await?.body());
    if updated["spec"] != stored["spec"] {
        server.note(text(&updated, "/metadata/name"), json!([updated["spec"], updated["metadata"]["generation"]]));
    }
    Ok(changed(answered, |answer| {
        answer.body["metadata"]["resourceVersion"] = written["metadata"]["resourceVersion"].clone();
        show(server, &mut answer.body);
    }))
}

fn show(server: &Layered, definition: &mut Value) {
    if let Some(mut shown) = server.noted(text(definition, "/metadata/name")) {
        definition["spec"] = shown[0].take();
        definition["metadata"]["generation"] = shown[1].take();
    }
}

/// Shows no `resourceVersion`, and needs none.
pub(crate) fn show_no_revisions(server: &Layered, mut request: HttpRequest) -> ResponseFuture<'_> {
    Box::pin(async move {
        let body = body_of(&request);
        let has_none = body["metadata"].is_object() && body["metadata"]["resourceVersion"].is_null();
        if *request.method() == Method::PUT && has_none {
            let stored = server.object(&request).await?;
            with_body(&mut request, |body| {
                if let Some(revision) = stored.pointer("/metadata/resourceVersion") {
                    body["metadata"]["resourceVersion"] = json!(revision);
                }
            });
        }
        server
            .answer(request, |answer| {
                for item in elements(&mut answer.body, "/items") {
                    remove(item, "/metadata/resourceVersion");
                }
                remove(&mut answer.body, "/metadata/resourceVersion");
            })
            .await
    })
}

/// Answers no watch in time.
pub(crate) fn answer_no_watches(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    if !query_contains(&request, "watch=") {
        return Box::pin(server.pass(request));
    }
    Box::pin(ready(late(&request)))
}

/// Goes on with a watch although its time is over. What it has reported until then is read.
pub(crate) fn never_end_watches(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    // A change of the definition ends those that are to go on for longer.
    let is_short = is_watch(&request) && query_contains(&request, "timeoutSeconds=1");
    Box::pin(async move {
        let mut answered = server.pass(request).await?;
        if is_short && answered.status().is_success() {
            answered.extensions_mut().insert(Unended { after: Duration::from_secs(6) });
        }
        Ok(answered)
    })
}

/// Serves watches over WebSocket alone.
pub(crate) fn demand_upgrades_of_watches(server: &Layered, request: HttpRequest) -> ResponseFuture<'_> {
    if !is_watch(&request) || request.headers().contains_key(header::UPGRADE) {
        return Box::pin(server.pass(request));
    }
    Box::pin(ready(Ok(error(400, "BadRequest"))))
}
