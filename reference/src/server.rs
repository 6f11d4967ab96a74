//! The server: takes a request apart and gives it to whom it concerns.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use crdible_semantics::Semantics;
use http::{Method, Request, Response, Uri};
use tokio::sync::watch;

use crate::answer::{Answer, Content, Refusal, Warnings, respond};
use crate::built_in::{self, Served};
use crate::deep::{self, Depth};
use crate::definitions::{self, DefinitionResource, DefinitionStatusUpdate, Registry};
use crate::discovery;
use crate::engine::{Engine, Exchange, not_allowed_here};
use crate::events::{EventResource, Events};
use crate::identity::Identities;
use crate::instances::InstanceResource;
use crate::namespaces::{NamespaceResource, Namespaces, Part, PartUpdate};
use crate::openapi;
use crate::options::Options;
use crate::protobuf;
use crate::representation::{DiscoveryForm, Format, Listing, discovery_form, refuse_unlisted};
use crate::request::{Call, PathVerb, Query, ResourcePath, Route, route};
use crate::status::Failure;
use crate::subresources::{ScaleForm, StatusUpdate};
use crate::version;

/// An API server. A clone is the same server; servers made apart share nothing.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

struct Shared {
    max_body: usize,
    depth: Arc<Depth>,
    /// Taken only when the server goes.
    state: Option<State>,
}

struct State {
    registry: Registry,
    namespaces: Namespaces,
    events: Events,
    documents: openapi::Documents,
    ignore_rules: bool,
}

impl Drop for Shared {
    /// Deep values need a deep stack also to go.
    fn drop(&mut self) {
        let state = self.state.take();
        if self.depth.is_somewhere() {
            deep::on_deep_stack(move || drop(state));
        }
    }
}

impl Server {
    /// A server with these semantics and default options; it serves definitions, namespaces and events from the start.
    pub fn new(semantics: Arc<dyn Semantics>) -> Self {
        Self::with_options(semantics, Options::default())
    }

    /// A server with these semantics and options.
    #[allow(clippy::needless_pass_by_value, reason = "options are given away, as to any constructor")]
    pub fn with_options(semantics: Arc<dyn Semantics>, options: Options) -> Self {
        let depth = Arc::<Depth>::default();
        let engine = Arc::new(Engine {
            store: options.make_store(),
            clock: Arc::clone(&options.clock),
            identities: Identities::default(),
            depth: Arc::clone(&depth),
            watches_end: watch::Sender::new(0),
        });
        let namespaces = Namespaces::new(&engine);
        let collection = engine.store.collection(&format!("{}.{}", definitions::PLURAL, definitions::GROUP));
        let controllers = Arc::clone(&options.controllers);
        let events = Events::new(Arc::clone(&engine), options.events);
        let registry = Registry::new(engine, semantics, controllers, collection, options.settle_delay);
        registry.load();
        let documents = openapi::Documents::default();
        let state = State { registry, namespaces, events, documents, ignore_rules: options.ignore_rules };
        Self { shared: Arc::new(Shared { max_body: options.max_body, depth, state: Some(state) }) }
    }

    /// The size in bytes above which a body is refused.
    pub fn max_body(&self) -> usize {
        self.shared.max_body
    }

    /// Answers one request that wants no watch: see [`Server::open`]. Needs no runtime and opens no socket; requests may come from many
    /// threads at once.
    ///
    /// Never panics; what cannot be answered well is answered with a `Status` (REST-005).
    pub fn handle(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (head, content) = self.open(request).into_parts();
        match content {
            Content::Whole(body) => Response::from_parts(head, body),
            Content::Events(_) => {
                let failure = Failure::not_acceptable("a watch is a stream, and whoever asked takes no stream");
                let (head, content) = respond(Err(failure.into()), Warnings::default(), Format::Json).into_parts();
                Response::from_parts(head, content.whole())
            }
        }
    }

    /// Answers one request. The answer to one for a watch is a stream, and what reads it needs a runtime with a clock.
    ///
    /// Never panics; what cannot be answered well is answered with a `Status` (REST-005).
    #[allow(clippy::needless_pass_by_value)] // a request is given away, as with any handler
    pub fn open(&self, request: Request<Bytes>) -> Response<Content> {
        let refuse = |failure: Failure| {
            let query = Query::parse(request.uri().query().unwrap_or_default());
            let format = Format::of_refusal(request.headers(), &query);
            respond(Err(failure.into()), Warnings::default(), format)
        };
        let Shared { max_body, depth, state } = &*self.shared;
        let mut response = if request.body().len() > *max_body {
            refuse(Failure::too_large(format!("Request entity too large: limit is {max_body}")))
        } else {
            let route = route(request.uri().path());
            let answer = || state.as_ref().map(|state| state.answer(&route, &request));
            let answered = if depth.concerns(&route, &request) {
                depth.note_body(&route, &request);
                let answered = deep::on_deep_stack(answer).flatten();
                if let Some(Content::Whole(patched)) = answered.as_ref().map(Response::body)
                    && deep::makes_depth(&request)
                {
                    depth.note_patched(&route, &request, patched);
                }
                answered
            } else {
                answer()
            };
            answered.unwrap_or_else(|| {
                refuse(Failure::internal("a value that nests deep: no memory for its stack, or a panic on it"))
            })
        };
        if request.method() == Method::HEAD {
            *response.body_mut() = Content::Whole(Bytes::new());
        }
        response
    }

    /// Ends all watches, as a server does that goes down. Those that begin later go on.
    pub fn end_watches(&self) {
        if let Some(state) = &self.shared.state {
            state.registry.engine.watches_end.send_modify(|times| *times += 1);
        }
    }
}

impl Server {
    /// Does the steps behind writes of definitions when they are due, with [`Options::settle_delay`], and drops events whose time is over; an [`Endpoint`](crate::Endpoint) runs
    /// this by itself. Watches in process want it, since they make no requests. Never ends, and wants a runtime with a clock.
    pub async fn settle_in_time(&self) -> Infallible {
        match &self.shared.state {
            Some(state) => tokio::select! {
                never = state.registry.settle_in_time() => never,
                never = state.events.expire_in_time() => never,
            },
            None => std::future::pending().await,
        }
    }

    /// What answers, as long as the server lives.
    pub(crate) fn registry(&self) -> Option<&Registry> {
        self.shared.state.as_ref().map(|state| &state.registry)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("max_body", &self.shared.max_body).finish_non_exhaustive()
    }
}

impl State {
    fn answer(&self, route: &Route, request: &Request<Bytes>) -> Response<Content> {
        self.registry.catch_up();
        let query = Query::parse(request.uri().query().unwrap_or_default());
        let call = Call { method: request.method(), query: &query, headers: request.headers(), body: request.body() };
        let mut warnings = Warnings::default();
        let result = match route {
            Route::NoResource => Ok(no_resource(request.uri())),
            route => self.dispatch(route, call, &mut warnings),
        };
        respond(result, warnings, Format::of_refusal(request.headers(), &query))
    }

    fn dispatch(&self, route: &Route, call: Call<'_>, warnings: &mut Warnings) -> Result<Answer, Refusal> {
        let semantics = &*self.registry.semantics;
        match route {
            Route::Resource(path) => self.resource(path, call, warnings),
            Route::Unknown | Route::NoResource => Err(Refusal::NotRouted),
            Route::OpenApi(path) => Ok(openapi::answer(&self.documents, path, call, &self.registry)),
            Route::Nothing => Err(unknown_resource().into()),
            Route::Health(health) => Ok(health.answer(call.query)),
            Route::Paths => {
                Ok(Answer::written(200, &discovery::paths(&self.registry.live(), semantics), Format::PrettyJson))
            }
            Route::Version => {
                read_only(call)?;
                refuse_unlisted(call.headers, Listing::Json)?;
                Ok(Answer::written(200, &version::document(), Format::PrettyJson))
            }
            Route::CoreVersions => {
                read_only(call)?;
                refuse_unlisted(call.headers, Listing::Usual)?;
                Ok(match discovery_form(call.headers)? {
                    DiscoveryForm::Plain(format) => Answer::written(200, &discovery::core_versions(), format),
                    DiscoveryForm::Aggregated => discovery::aggregated_core(call.headers),
                })
            }
            // Groups, and the resources of definitions, are told whatever the method is, as upstream does.
            Route::Groups => {
                let form = discovery_form(call.headers)?;
                let live = self.registry.live();
                Ok(match form {
                    DiscoveryForm::Plain(format) => Answer::written(200, &discovery::groups(&live, semantics), format),
                    DiscoveryForm::Aggregated => discovery::aggregated_groups(&live, semantics, call.headers),
                })
            }
            Route::Group(group) => {
                let found = discovery::group(group, &self.registry.live(), semantics).ok_or(Refusal::NotRouted)?;
                Ok(Answer::written(200, &found, Format::of_document(call.headers)?))
            }
            Route::Resources { group, version } => {
                let found = discovery::resources(group, version, &self.registry.live(), semantics);
                let is_own = built_in::has_group(group);
                let found = found.ok_or_else(|| if is_own { unknown_resource().into() } else { Refusal::NotRouted })?;
                if is_own {
                    read_only(call)?;
                    refuse_unlisted(call.headers, Listing::Usual)?;
                }
                Ok(Answer::written(200, &found, Format::of_document(call.headers)?))
            }
        }
    }

    fn resource(&self, path: &ResourcePath, call: Call<'_>, warnings: &mut Warnings) -> Result<Answer, Refusal> {
        match built_in::at(path) {
            // An empty namespace is none.
            Some(_) if path.namespace.as_deref() == Some("") => {
                self.resource(&ResourcePath { namespace: None, ..path.clone() }, call, warnings)
            }
            Some(resource) => self.built_in(resource.served, path, call, warnings),
            None if built_in::has_group(&path.group) => Err(unknown_resource().into()),
            None => self.instance(path, call, warnings),
        }
    }

    fn built_in(
        &self,
        served: Served,
        path: &ResourcePath,
        call: Call<'_>,
        warnings: &mut Warnings,
    ) -> Result<Answer, Refusal> {
        // What the server was compiled with has a watch by path of the whole alone.
        if path.verb == Some(PathVerb::Proxy) || (path.verb.is_some() && path.subresource.is_some()) {
            return Err(unknown_resource().into());
        }
        let engine = &*self.registry.engine;
        let in_json = protobuf::in_json(call, served)?;
        let call = match &in_json {
            Some((headers, body)) => Call { headers, body, ..call },
            None => call,
        };
        match served {
            Served::Namespaces => {
                let resource = NamespaceResource { namespaces: &self.namespaces, registry: &self.registry };
                let exchange = Exchange { engine, resource: &resource, form: &resource, update: &resource, path, call };
                match path.subresource.as_deref() {
                    None => exchange.run(warnings),
                    Some(part) => {
                        let part = Part::of_path(part).ok_or_else(unknown_resource)?;
                        Exchange { update: &PartUpdate(part), ..exchange }.run(warnings)
                    }
                }
            }
            Served::Definitions => {
                let resource = DefinitionResource::new(&self.registry, self.ignore_rules);
                let exchange = Exchange { engine, resource: &resource, form: &resource, update: &resource, path, call };
                match path.subresource.as_deref() {
                    None => exchange.run(warnings),
                    Some("status") => {
                        let update = DefinitionStatusUpdate { semantics: &*self.registry.semantics };
                        Exchange { update: &update, ..exchange }.run(warnings)
                    }
                    Some(_) => Err(unknown_resource().into()),
                }
            }
            Served::Events(version) => {
                if path.subresource.is_some() {
                    return Err(unknown_resource().into());
                }
                self.events.expire();
                let (events, namespaces, registry) = (&self.events, &self.namespaces, &self.registry);
                let resource = EventResource { events, namespaces, registry, version };
                Exchange { engine, resource: &resource, form: &resource, update: &resource, path, call }.run(warnings)
            }
        }
    }

    fn instance(&self, path: &ResourcePath, call: Call<'_>, warnings: &mut Warnings) -> Result<Answer, Refusal> {
        if path.namespace.as_deref() == Some("") {
            // An empty namespace is none.
            return self.instance(&ResourcePath { namespace: None, ..path.clone() }, call, warnings);
        }
        let definition = self.registry.find(&path.group, &path.resource).ok_or(Refusal::NotRouted)?;
        let version = definition.served(&path.version).ok_or(Refusal::NotRouted)?;
        if definition.names_accepted && !definition.is_served() {
            let why = "its conversion webhook has certificates that are none";
            return Err(Failure::internal(format!("{} is not established: {why}", definition.name)).into());
        }
        if !definition.is_served() || !fits_scope(definition.namespaced, path, call.method) {
            return Err(Refusal::NotRouted);
        }
        if let Some(text) = &version.deprecation {
            warnings.add(text.as_str());
        }
        let resource = InstanceResource {
            registry: &self.registry,
            namespaces: &self.namespaces,
            definition: &definition,
            version,
        };
        let exchange = Exchange {
            engine: &self.registry.engine,
            resource: &resource,
            form: &resource,
            update: &resource,
            path,
            call,
        };
        match (path.subresource.as_deref(), &version.scale) {
            (None, _) => exchange.run(warnings),
            (Some("status"), _) if version.has_status => {
                let update = StatusUpdate { instances: &resource };
                Exchange { form: &update, update: &update, ..exchange }.run(warnings)
            }
            (Some("scale"), Some(scale)) => {
                let form = ScaleForm {
                    semantics: &*self.registry.semantics,
                    scale,
                    definition: &definition,
                    api_version: &version.kind.api_version,
                };
                Exchange { form: &form, ..exchange }.run(warnings)
            }
            _ => {
                let name = path.name.as_deref().unwrap_or_default();
                Err(Failure::not_found(&path.group, &path.resource, name).into())
            }
        }
    }
}

/// Namespaced objects are addressed with their namespace, but for lists and watches over all; others never are (REST-002).
fn fits_scope(namespaced: bool, path: &ResourcePath, method: &Method) -> bool {
    let goes_over_all = match path.verb {
        Some(verb) => verb == PathVerb::Watch,
        None => path.name.is_none() && matches!(*method, Method::GET | Method::HEAD),
    };
    namespaced == path.namespace.is_some() || (namespaced && goes_over_all)
}

fn read_only(call: Call<'_>) -> Result<(), Failure> {
    if *call.method == Method::GET { Ok(()) } else { Err(not_allowed_here()) }
}

/// What upstream says of a path with a verb and nothing behind it.
fn no_resource(uri: &Uri) -> Answer {
    let uri = uri.path_and_query().map_or("/", |uri| uri.as_str());
    let uri = uri.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let why = format!("failed to create RequestInfo: unable to determine kind and namespace from url, {uri}");
    Answer::text(500, format!("Internal Server Error: \"{uri}\": {why}\n"))
}

/// 404 where nothing is known of the resource.
fn unknown_resource() -> Failure {
    Failure { message: "the server could not find the requested resource".into(), ..Failure::not_found("", "", "") }
}
