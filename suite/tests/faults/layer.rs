//! What is wrong between a client and a server, whatever the server is: it can be laid over one that has other faults.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, ResponseFuture, Target, TargetDescription, TargetKind, Transport, TransportError},
    webhook::{Bridge, Registry},
};
use crdible_webhooks::{Converter, Hook, When};
use http::Response;
use serde_json::Value;

use crate::{
    json::{parsed, text},
    sent::{is_about_definitions, is_watch, query_contains, read, set_parameter, with_body},
    server::{Answer, Asked, changed},
};

/// What a server does with a request: `act!(|server, request| { … })`.
macro_rules! act {
    (|$server:ident, $request:ident| $act:block) => {
        |$server, $request| Box::pin(async move $act)
    };
}

/// What a server does with a request.
pub(crate) type Act = for<'a> fn(&'a Layered, HttpRequest) -> ResponseFuture<'a>;

/// Which requests.
pub(crate) type Meant = fn(&HttpRequest) -> bool;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Layer {
    /// Changes requests.
    Requests(fn(&mut HttpRequest)),
    /// Changes the bodies of such requests, by the object that each is about: null if there is none.
    Bodies(Meant, fn(&mut Value, &Value)),
    /// Changes answers.
    Answers(About, fn(&Asked, &mut Answer)),
    /// Changes what accepted requests of this kind show, by the object that was there before.
    Results(Meant, fn(&Value, &mut Value)),
    /// Changes the events of watches.
    Events(fn(&HttpRequest, &mut Vec<Value>)),
    /// Does what a function of one request or one answer cannot.
    Acts(About, Act),
}

/// What requests and answers are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Definitions,
    /// Objects, discovery and whatever else is not about definitions.
    Others,
    Everything,
}

impl About {
    fn includes(self, request: &HttpRequest) -> bool {
        match self {
            Self::Definitions => is_about_definitions(request),
            Self::Others => !is_about_definitions(request),
            Self::Everything => true,
        }
    }
}

impl Layer {
    /// Lays it over a server.
    pub(crate) fn over(self, target: &Target) -> Target {
        let (definitions, notes, under_way) = (Mutex::default(), Mutex::default(), Mutex::default());
        let server = Arc::clone(&target.transport);
        let description = TargetDescription { kind: TargetKind::Embedded, address: None, version: None };
        Target::over(Arc::new(Layered { server, layer: self, definitions, notes, under_way }), description)
    }
}

/// A server and the layer over it.
#[derive(Debug)]
pub(crate) struct Layered {
    server: Arc<dyn Transport>,
    layer: Layer,
    /// The definitions by their groups.
    definitions: Mutex<BTreeMap<String, Known>>,
    /// What the layer remembers.
    notes: Mutex<BTreeMap<String, Value>>,
    /// What has begun and is not over.
    under_way: Mutex<BTreeSet<String>>,
}

/// What is known of a definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The storage version.
    pub(crate) storage: String,
    /// The path of its webhook; empty if it has none.
    pub(crate) path: String,
    /// All versions, in its order.
    pub(crate) versions: Vec<String>,
}

impl Transport for Layered {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        let is_about_others = About::Others.includes(&request);
        if !is_about_others {
            self.learn(&request);
        }
        match self.layer {
            Layer::Requests(change) => {
                change(&mut request);
                self.server.send(request)
            }
            Layer::Bodies(is_meant, change) if is_about_others && is_meant(&request) => Box::pin(async move {
                let object = self.object(&request).await?;
                with_body(&mut request, |body| change(body, &object));
                self.pass(request).await
            }),
            Layer::Answers(about, change) if about.includes(&request) => {
                let asked = Asked::of(&request);
                Box::pin(async move { self.answer(request, |answer| change(&asked, answer)).await })
            }
            Layer::Results(is_meant, change) if is_about_others && is_meant(&request) => Box::pin(async move {
                let before = self.object(&request).await?;
                self.answer(request, |answer| {
                    if before.is_object() && answer.head.status.is_success() {
                        change(&before, &mut answer.body);
                    }
                })
                .await
            }),
            Layer::Events(change) if is_about_others && is_watch(&request) => Box::pin(async move {
                let asked = request.clone();
                let answered = self.pass(request).await?;
                // A refusal is no stream.
                let is_stream = answered.status().is_success();
                Ok(if is_stream { with_events(answered, |events| change(&asked, events)) } else { answered })
            }),
            Layer::Acts(about, act) if about.includes(&request) => act(self, request),
            _ => self.server.send(request),
        }
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.server.webhooks()
    }
}

impl Layered {
    /// Sends a request to the server below.
    pub(crate) async fn pass(&self, request: HttpRequest) -> Result<Response<Bytes>, TransportError> {
        self.server.send(request).await
    }

    /// The same as a dry run.
    pub(crate) async fn try_out(&self, mut request: HttpRequest) -> Result<Response<Bytes>, TransportError> {
        set_parameter(&mut request, "dryRun", Some("All"));
        self.pass(request).await
    }

    /// Sends a request, and changes the answer.
    pub(crate) async fn answer(
        &self,
        request: HttpRequest,
        change: impl FnOnce(&mut Answer),
    ) -> Result<Response<Bytes>, TransportError> {
        Ok(changed(self.pass(request).await?, change))
    }

    /// What is at a path; null if there is nothing.
    pub(crate) async fn get(&self, path: &str) -> Result<Value, TransportError> {
        let answered = self.pass(read(path)).await?;
        Ok(if answered.status().is_success() { parsed(answered.body()) } else { Value::Null })
    }

    /// The object that a request is about; null if there is none.
    pub(crate) async fn object(&self, request: &HttpRequest) -> Result<Value, TransportError> {
        self.get(request.uri().path()).await
    }

    /// Remembers something. Returns what was remembered under that name before.
    pub(crate) fn note(&self, name: &str, what: impl Into<Value>) -> Option<Value> {
        self.notes.lock().unwrap().insert(name.to_owned(), what.into())
    }

    /// What is remembered.
    pub(crate) fn noted(&self, name: &str) -> Option<Value> {
        self.notes.lock().unwrap().get(name).cloned()
    }

    /// All that is remembered.
    pub(crate) fn notes(&self) -> BTreeMap<String, Value> {
        self.notes.lock().unwrap().clone()
    }

    /// Forgets something. Returns what it was.
    pub(crate) fn forget(&self, name: &str) -> Option<Value> {
        self.notes.lock().unwrap().remove(name)
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

    /// Learns what a definition says.
    fn learn(&self, request: &HttpRequest) {
        let body = parsed(request.body());
        let Some(group) = body["spec"]["group"].as_str().filter(|_| !query_contains(request, "dryRun")) else { return };
        let versions = body["spec"]["versions"].as_array().map_or(&[][..], Vec::as_slice);
        let name = |version: &Value| version["name"].as_str().unwrap_or_default().to_owned();
        let storage = versions.iter().find(|version| version["storage"] == true).map(name).unwrap_or_default();
        let url = text(&body, "/spec/conversion/webhook/clientConfig/url");
        let path = url.strip_prefix(Bridge::URL).unwrap_or_default().to_owned();
        let known = Known { storage, path, versions: versions.iter().map(name).collect() };
        self.definitions.lock().unwrap().insert(group.to_owned(), known);
    }

    /// The definition of a group.
    pub(crate) fn definition(&self, group: &str) -> Option<Known> {
        self.definitions.lock().unwrap().get(group).cloned()
    }

    /// The definition of a request for objects, if a webhook converts them, and the version of the request.
    pub(crate) fn of(&self, request: &HttpRequest) -> Option<(Known, String)> {
        let mut segments = request.uri().path().strip_prefix("/apis/")?.split('/');
        let (group, version) = (segments.next()?, segments.next()?);
        segments.next()?;
        let known = self.definition(group).filter(|known| !known.path.is_empty())?;
        Some((known, version.to_owned()))
    }

    /// Whether it is about objects that a webhook converts, at another version than the storage version.
    pub(crate) fn is_elsewhere(&self, request: &HttpRequest) -> bool {
        self.of(request).is_some_and(|(known, version)| known.storage != version)
    }

    /// Whether the webhook fails now, whatever it is asked.
    pub(crate) fn is_broken(&self, request: &HttpRequest) -> bool {
        let path = self.of(request).map(|(known, _)| known.path);
        let hook = path.and_then(|path| self.webhooks()?.hook(&path));
        hook.is_some_and(|Hook::Conversion(Converter { behaviour, .. })| {
            behaviour.when == When::Always && behaviour.objects.is_empty() && !behaviour.is_right()
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
        let answered = self.pass(redirected).await?;
        Ok(answered.map(|body| renamed(&body, &stored, &asked)))
    }
}

pub(crate) fn events(body: &[u8]) -> Vec<Value> {
    serde_json::Deserializer::from_slice(body).into_iter().map_while(Result::ok).collect()
}

/// The same answer with other events.
pub(crate) fn with_events(answered: Response<Bytes>, change: impl FnOnce(&mut Vec<Value>)) -> Response<Bytes> {
    answered.map(|body| {
        let mut events = events(&body);
        change(&mut events);
        events.iter().flat_map(|event| format!("{event}\n").into_bytes()).collect::<Vec<u8>>().into()
    })
}
