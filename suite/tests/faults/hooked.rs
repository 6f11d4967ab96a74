//! A server that does something else with some requests for objects that webhooks convert.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, ResponseFuture, Target, Transport, TransportError},
    webhook::{Bridge, Registry},
};
use http::{HeaderValue, Method, Response, header};
use serde_json::Value;

use crate::server::{is_about_definitions, over, replace_body};

/// A server that does this with each request for objects: `act!(|server, request| { … })`.
macro_rules! act {
    (|$server:ident, $request:ident| $act:block) => {
        |server| $crate::hooked::hooked(server, |$server, $request| Box::pin(async move $act))
    };
}

/// A server that does this with each request: `act_everywhere!(|server, request| { … })`.
macro_rules! act_everywhere {
    (|$server:ident, $request:ident| $act:block) => {
        |server| $crate::hooked::hooked_everywhere(server, |$server, $request| Box::pin(async move $act))
    };
}

/// What such a server does with a request.
pub(crate) type Act = for<'a> fn(&'a Hooked, HttpRequest) -> ResponseFuture<'a>;

/// A server that does something else with some requests for objects that webhooks convert.
pub(crate) struct Hooked {
    pub(crate) server: Arc<dyn Transport>,
    act: Act,
    /// Whether it does so with requests for definitions, too.
    is_everywhere: bool,
    /// The definitions by their groups.
    known: Mutex<BTreeMap<String, Known>>,
    /// The storage version at the latest write of each object.
    pub(crate) stored_at: Mutex<BTreeMap<String, String>>,
    /// The revisions that watches will not report.
    pub(crate) missed: Mutex<BTreeSet<String>>,
    /// What has begun and is not over.
    under_way: Mutex<BTreeSet<String>>,
}

/// What is known of a definition.
#[derive(Clone, Default)]
pub(crate) struct Known {
    /// The storage version.
    pub(crate) storage: String,
    /// The path of its webhook.
    path: String,
}

pub(crate) fn hooked(server: Arc<dyn Transport>, act: Act) -> Target {
    over(Hooked::new(server, act, false))
}

/// The same for all requests.
pub(crate) fn hooked_everywhere(server: Arc<dyn Transport>, act: Act) -> Target {
    over(Hooked::new(server, act, true))
}

impl fmt::Debug for Hooked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Hooked").finish_non_exhaustive()
    }
}

impl Transport for Hooked {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if is_about_definitions(&request) {
            self.note(&request);
            if !self.is_everywhere {
                return self.server.send(request);
            }
        }
        (self.act)(self, request)
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

impl Hooked {
    fn new(server: Arc<dyn Transport>, act: Act, is_everywhere: bool) -> Self {
        let (known, stored_at, missed) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { server, act, is_everywhere, known, stored_at, missed, under_way: Mutex::default() }
    }

    /// Says that this begins. Requests that are sent together begin in the same moment, whatever they wait
    /// for afterwards.
    pub(crate) fn begin(&self, what: &str) {
        self.under_way.lock().unwrap().insert(what.to_owned());
    }

    /// Says that this is over.
    pub(crate) fn end(&self, what: &str) {
        self.under_way.lock().unwrap().remove(what);
    }

    /// Waits until this is over, if it has begun.
    pub(crate) async fn until_over(&self, what: &str) {
        for _ in 0..2_000 {
            tokio::time::sleep(Duration::from_millis(5)).await;
            if !self.under_way.lock().unwrap().contains(what) {
                break;
            }
        }
    }

    /// Remembers what a definition says.
    fn note(&self, request: &HttpRequest) {
        let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let (spec, is_tried) = (&body["spec"], has(request, "dryRun"));
        let Some(group) = spec["group"].as_str().filter(|_| !is_tried) else { return };
        let versions = spec["versions"].as_array().into_iter().flatten();
        let storage =
            versions.filter(|version| version["storage"] == true).find_map(|version| version["name"].as_str());
        let url = spec["conversion"]["webhook"]["clientConfig"]["url"].as_str().unwrap_or_default();
        let path = url.strip_prefix(Bridge::URL).unwrap_or_default();
        let known = Known { storage: storage.unwrap_or_default().to_owned(), path: path.to_owned() };
        self.known.lock().unwrap().insert(group.to_owned(), known);
    }

    /// The definition of a request for objects, if a webhook converts them, and the version of the request.
    pub(crate) fn of(&self, request: &HttpRequest) -> Option<(Known, String)> {
        let mut segments = request.uri().path().strip_prefix("/apis/")?.split('/');
        let (group, version) = (segments.next()?, segments.next()?);
        segments.next()?;
        let known = self.known.lock().unwrap().get(group).cloned()?;
        Some((known, version.to_owned())).filter(|(known, _)| !known.path.is_empty())
    }

    /// Whether it is about objects that a webhook converts, at another version than the storage version.
    pub(crate) fn is_elsewhere(&self, request: &HttpRequest) -> bool {
        self.of(request).is_some_and(|(known, version)| known.storage != version)
    }

    /// Whether the webhook fails now, whatever it is asked.
    pub(crate) fn is_broken(&self, request: &HttpRequest) -> bool {
        let path = self.of(request).map(|(known, _)| known.path);
        let converter = path.and_then(|path| self.server.webhooks()?.converter(&path));
        converter.is_some_and(|converter| {
            let behaviour = &converter.behaviour;
            behaviour.when == crdible_converters::When::Always && behaviour.objects.is_empty() && !behaviour.is_right()
        })
    }

    /// The answer to the same request at the storage version, under the name of its own version.
    pub(crate) async fn stored(&self, request: &HttpRequest) -> Result<Response<Bytes>, TransportError> {
        let (known, version) = self.of(request).unwrap_or_default();
        let group = request.uri().path().split('/').nth(2).unwrap_or_default().to_owned();
        let [asked, stored] = [&version, &known.storage].map(|version| format!("{group}/{version}"));
        let renamed = |bytes: &Bytes, from: &str, to: &str| {
            let text = String::from_utf8_lossy(bytes).replace(&format!("\"{from}\""), &format!("\"{to}\""));
            Bytes::from(text)
        };
        let mut redirected = request.clone();
        let uri = request.uri().to_string().replacen(&format!("/apis/{asked}/"), &format!("/apis/{stored}/"), 1);
        *redirected.uri_mut() = uri.parse().unwrap_or_default();
        *redirected.body_mut() = renamed(request.body(), &asked, &stored);
        let answered = self.server.send(redirected).await?;
        Ok(answered.map(|body| renamed(&body, &stored, &asked)))
    }
}

/// Whether its path is that of one object.
pub(crate) fn is_object(request: &HttpRequest) -> bool {
    let rest = request.uri().path().split('/').skip(4);
    let segments: Vec<&str> = rest.collect();
    matches!(segments[..], ["namespaces", _, _, _]) || matches!(segments[..], [plural, _] if plural != "namespaces")
}

pub(crate) fn is_list(request: &HttpRequest) -> bool {
    *request.method() == Method::GET && !is_object(request) && !is_watch(request)
}

pub(crate) fn is_watch(request: &HttpRequest) -> bool {
    *request.method() == Method::GET && has(request, "watch=")
}

/// Whether the query contains this.
pub(crate) fn has(request: &HttpRequest, text: &str) -> bool {
    request.uri().query().is_some_and(|query| query.contains(text))
}

/// GET of a path.
pub(crate) fn read(path: &str) -> HttpRequest {
    let mut request = HttpRequest::default();
    *request.uri_mut() = path.parse().unwrap_or_default();
    request
}

/// A merge patch.
pub(crate) fn merge(path: &str, patch: &Value) -> HttpRequest {
    let mut request = read(path);
    *request.method_mut() = Method::PATCH;
    request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/merge-patch+json"));
    replace_body(&mut request, patch);
    request
}

pub(crate) fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list["items"].as_array().into_iter().flatten()
}

pub(crate) fn events(body: &[u8]) -> Vec<Value> {
    serde_json::Deserializer::from_slice(body).into_iter().map_while(Result::ok).collect()
}

/// Changes the events of the watches of a correct server.
pub(crate) struct ChangedEvents {
    pub(crate) server: Arc<dyn Transport>,
    pub(crate) change: fn(&HttpRequest, &mut Vec<Value>),
}

impl fmt::Debug for ChangedEvents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ChangedEvents").finish_non_exhaustive()
    }
}

impl Transport for ChangedEvents {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if !is_watch(&request) || is_about_definitions(&request) {
            return self.server.send(request);
        }
        let asked = request.clone();
        Box::pin(async move {
            let answered = self.server.send(request).await?;
            // A refusal is no stream.
            Ok(if answered.status().is_success() {
                rewritten(answered, |events| (self.change)(&asked, events))
            } else {
                answered
            })
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

/// The same answer with other events.
fn rewritten(answered: Response<Bytes>, change: impl FnOnce(&mut Vec<Value>)) -> Response<Bytes> {
    answered.map(|body| {
        let mut events = events(&body);
        change(&mut events);
        events.iter().flat_map(|event| format!("{event}\n").into_bytes()).collect::<Vec<u8>>().into()
    })
}

/// The same answer with changed events; those for which `change` is false are dropped.
pub(crate) fn with_events(answered: Response<Bytes>, mut change: impl FnMut(&mut Value) -> bool) -> Response<Bytes> {
    rewritten(answered, |events| events.retain_mut(&mut change))
}
