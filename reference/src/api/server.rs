//! The server: routes requests to the resources that answer them.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use crdible_semantics::Semantics;
use http::{Method, Request, Response, Uri};
use tokio::sync::{Semaphore, watch};
use tokio::task;

use crate::api::deep_requests;
use crate::api::discovery;
use crate::api::health;
use crate::api::openapi;
use crate::api::options::Options;
use crate::api::version;
use crate::base::identity::Identities;
use crate::base::status::Failure;
use crate::engine::{Engine, Exchange, not_allowed_here};
use crate::kinds::{self, BuiltIn, Served};
use crate::messages::answer::{Answer, Content, Refusal, Warnings, respond};
use crate::messages::representation::{DiscoveryForm, Format, Listing, discovery_form, refuse_unlisted};
use crate::messages::request::{
    Call, PathVerb, Query, ResourcePath, Route, check_time_limit, deadline, protobuf_in_json, route,
};
use crate::resources::definitions::{DefinitionResource, DefinitionStatusUpdate, Registry};
use crate::resources::events::{EventResource, EventVersion, Events};
use crate::resources::instances::InstanceResource;
use crate::resources::namespaces::{NamespaceResource, Namespaces, Part, PartUpdate};
use crate::resources::subresources::{ScaleForm, StatusUpdate};
use crate::wire::deep::{self, Depth};

/// An API server. Clones share their state; two servers that are created separately share nothing.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

/// How many requests may wait for webhooks at the same time; further ones wait for their turn.
const MOST_WAITING: usize = 256;

struct Shared {
    max_body: usize,
    /// One permit for each request that may wait for a webhook.
    waiting: Semaphore,
    depth: Arc<Depth>,
    /// Always set, except while the server is dropped.
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
    /// Dropping deeply nested values requires a large stack, too.
    fn drop(&mut self) {
        let state = self.state.take();
        if self.depth.is_somewhere() {
            deep::on_deep_stack(move || drop(state));
        }
    }
}

impl Server {
    /// A server with default options. It serves definitions, namespaces and events from the start.
    pub fn new(semantics: Semantics) -> Self {
        Self::with_options(semantics, Options::default())
    }

    /// A server with these options.
    #[allow(clippy::needless_pass_by_value, reason = "constructors take options by value")]
    pub fn with_options(semantics: Semantics, options: Options) -> Self {
        let release = semantics.release;
        let depth = Arc::<Depth>::default();
        let engine = Arc::new(Engine {
            store: options.make_store(),
            clock: Arc::clone(&options.clock),
            identities: Identities::default(),
            depth: Arc::clone(&depth),
            watches_end: watch::Sender::new(0),
            webhooks: Arc::clone(&options.webhooks),
            semantics: Arc::new(semantics),
        });
        let namespaces = Namespaces::new(&engine);
        let collection = engine.store.collection(&kinds::DEFINITION.names().qualified());
        let controllers = Arc::clone(&options.controllers);
        let events = Events::new(Arc::clone(&engine), options.events);
        let registry = Registry::new(engine, controllers, collection, options.settle_delay);
        registry.load();
        let documents = openapi::Documents::at(release);
        let state = State { registry, namespaces, events, documents, ignore_rules: options.ignore_rules };
        let waiting = Semaphore::new(MOST_WAITING);
        Self { shared: Arc::new(Shared { max_body: options.max_body, waiting, depth, state: Some(state) }) }
    }

    /// The largest accepted request body, in bytes.
    pub fn max_body(&self) -> usize {
        self.shared.max_body
    }

    /// Answers one request in process, without a runtime or a socket. Requests may arrive from several threads at once.
    ///
    /// Never panics; every failure is answered with a `Status` (REST-005). A watch is refused with 406: use
    /// [`Server::open`].
    pub fn handle(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (head, content) = self.open(request).into_parts();
        match content {
            Content::Whole(body) => Response::from_parts(head, body),
            Content::Events(_) => {
                let failure = Failure::unacceptable_form("Server::handle cannot answer a watch; use Server::open");
                let (head, content) = respond(Err(failure.into()), Warnings::default(), Format::Json).into_parts();
                Response::from_parts(head, content.whole())
            }
        }
    }

    /// Like [`Server::open`], for callers in a Tokio runtime: a request that may wait for a conversion webhook does so
    /// on a thread for blocking work. All others are answered at once.
    pub async fn respond(&self, request: Request<Bytes>) -> Response<Content> {
        if !self.may_wait(&route(request.uri().path())) {
            return self.open(request);
        }
        let _permit = self.shared.waiting.acquire().await;
        let server = self.clone();
        match task::spawn_blocking(move || server.open(request)).await {
            Ok(response) => response,
            // Only if the runtime shuts down.
            Err(_) => {
                respond(Err(Failure::internal("the server shuts down").into()), Warnings::default(), Format::Json)
            }
        }
    }

    /// Whether a request may wait for a conversion webhook, or for a view.
    fn may_wait(&self, route: &Route) -> bool {
        let Some(state) = &self.shared.state else { return false };
        match route {
            Route::Resource(path) => {
                let definition = state.registry.find(&path.group, &path.resource);
                definition.is_some_and(|definition| definition.views.is_some())
            }
            _ => false,
        }
    }

    /// Answers one request in process. The response to a watch is a stream; reading it requires a Tokio runtime with
    /// time enabled.
    ///
    /// A request for objects at a version to which a conversion webhook converts them blocks until the webhook has
    /// answered; in a Tokio runtime, use [`Server::respond`].
    ///
    /// Never panics; every failure is answered with a `Status` (REST-005).
    #[allow(clippy::needless_pass_by_value)] // handlers take requests by value
    pub fn open(&self, request: Request<Bytes>) -> Response<Content> {
        let refuse = |failure: Failure| {
            let query = Query::parse(request.uri().query().unwrap_or_default());
            let format = Format::of_refusal(request.headers(), &query);
            respond(Err(failure.into()), Warnings::default(), format)
        };
        let Shared { max_body, depth, state, .. } = &*self.shared;
        let mut response = if request.body().len() > *max_body {
            refuse(Failure::too_large(format!("Request entity too large: limit is {max_body}")))
        } else {
            let route = route(request.uri().path());
            let answer = || state.as_ref().map(|state| state.answer(&route, &request));
            let answered = if deep_requests::needs_deep_stack(depth, &route, &request) || self.may_wait(&route) {
                let is_deep = deep_requests::note_body(depth, &route, &request);
                let answered = deep::on_deep_stack(answer).flatten();
                if is_deep {
                    deep::give_back();
                }
                if let Some(Content::Whole(patched)) = answered.as_ref().map(Response::body)
                    && deep_requests::makes_depth(&request)
                {
                    deep_requests::note_patched(depth, &route, &request, patched);
                }
                answered
            } else {
                answer()
            };
            answered.unwrap_or_else(|| refuse(Failure::internal("processing a deeply nested value failed")))
        };
        if request.method() == Method::HEAD {
            *response.body_mut() = Content::Whole(Bytes::new());
        }
        response
    }

    /// Ends all open watches, as a server does when it shuts down. Watches that are opened later are not affected.
    pub fn end_watches(&self) {
        if let Some(state) = &self.shared.state {
            state.registry.engine.watches_end.send_modify(|times| *times += 1);
        }
    }
}

impl Server {
    /// Runs the steps that follow writes of definitions when they are due (see [`Options::settle_delay`]), and deletes
    /// expired events. [`serve`](fn@crate::serve) and [`Endpoint`](crate::Endpoint) do this themselves; without them,
    /// watches need it, because they make no further requests. Never returns; requires a Tokio runtime with time
    /// enabled.
    pub async fn settle_in_time(&self) -> Infallible {
        match &self.shared.state {
            Some(state) => tokio::select! {
                never = state.registry.settle_in_time() => never,
                never = state.events.expire_in_time() => never,
            },
            None => std::future::pending().await,
        }
    }

    /// The registry of definitions; `None` only while the server is dropped.
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
            // Upstream reads the time limit before anything else of the request.
            route => check_time_limit(route, call)
                .map_err(Refusal::from)
                .and_then(|()| self.dispatch(route, call, &mut warnings)),
        };
        respond(result, warnings, Format::of_refusal(request.headers(), &query))
    }

    fn dispatch(&self, route: &Route, call: Call<'_>, warnings: &mut Warnings) -> Result<Answer, Refusal> {
        let semantics = &self.registry.engine.semantics;
        match route {
            Route::Resource(path) => self.resource(path, call, warnings),
            Route::Unknown | Route::NoResource => Err(Refusal::NotRouted),
            Route::OpenApi(path) => Ok(openapi::answer(&self.documents, path, call, &self.registry)),
            Route::Nothing => Err(unknown_resource().into()),
            Route::Health(health) => Ok(health::answer(*health, call.query)),
            Route::Paths => {
                Ok(Answer::written(200, &discovery::paths(&self.registry.live(), semantics), Format::PrettyJson))
            }
            Route::Version => {
                read_only(call)?;
                refuse_unlisted(call.headers, Listing::Json)?;
                Ok(Answer::written(200, &version::document(semantics.release), Format::PrettyJson))
            }
            Route::CoreVersions => {
                read_only(call)?;
                refuse_unlisted(call.headers, Listing::Usual)?;
                Ok(match discovery_form(call.headers)? {
                    DiscoveryForm::Plain(format) => Answer::written(200, &discovery::core_versions(), format),
                    DiscoveryForm::Aggregated(format) => {
                        discovery::aggregated_core(semantics.release, format, call.headers)
                    }
                })
            }
            // Groups, and the resources of definitions, are returned for any method, as upstream does.
            Route::Groups => {
                let form = discovery_form(call.headers)?;
                let live = self.registry.live();
                Ok(match form {
                    DiscoveryForm::Plain(format) => Answer::written(200, &discovery::groups(&live, semantics), format),
                    DiscoveryForm::Aggregated(format) => {
                        discovery::aggregated_groups(&live, semantics, format, call.headers)
                    }
                })
            }
            Route::Group(group) => {
                let found = discovery::group(group, &self.registry.live(), semantics).ok_or(Refusal::NotRouted)?;
                Ok(Answer::written(200, &found, Format::of_document(call.headers)?))
            }
            Route::Resources { group, version } => {
                let found = discovery::resources(group, version, &self.registry.live(), semantics);
                let is_own = kinds::has_group(group);
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
        match path.built_in() {
            // An empty namespace counts as no namespace.
            Some(_) if path.namespace.as_deref() == Some("") => {
                self.resource(&ResourcePath { namespace: None, ..path.clone() }, call, warnings)
            }
            Some(resource) => self.built_in(resource, path, call, warnings),
            None if kinds::has_group(&path.group) => Err(unknown_resource().into()),
            None => self.instance(path, call, warnings),
        }
    }

    fn built_in(
        &self,
        own: &BuiltIn,
        path: &ResourcePath,
        call: Call<'_>,
        warnings: &mut Warnings,
    ) -> Result<Answer, Refusal> {
        // Built-in resources have no proxy, and a watch by path only for the whole object.
        if path.verb == Some(PathVerb::Proxy) || (path.verb.is_some() && path.subresource.is_some()) {
            return Err(unknown_resource().into());
        }
        let engine = &*self.registry.engine;
        let in_json = protobuf_in_json(call, own)?;
        let call = match &in_json {
            Some((headers, body)) => Call { headers, body, ..call },
            None => call,
        };
        if path.subresource.as_deref().is_some_and(|part| !own.subresources.contains(&part)) {
            return Err(unknown_resource().into());
        }
        match own.served {
            Served::Namespaces => {
                let resource = NamespaceResource { namespaces: &self.namespaces, registry: &self.registry };
                let exchange = Exchange { engine, resource: &resource, form: &resource, update: &resource, path, call };
                match path.subresource.as_deref().and_then(Part::of_path) {
                    None => exchange.run(warnings),
                    Some(part) => Exchange { update: &PartUpdate(part), ..exchange }.run(warnings),
                }
            }
            Served::Definitions => {
                let resource = DefinitionResource { registry: &self.registry };
                let exchange = Exchange { engine, resource: &resource, form: &resource, update: &resource, path, call };
                let status = DefinitionStatusUpdate { semantics: &self.registry.engine.semantics };
                match path.subresource {
                    None => exchange.run(warnings),
                    Some(_) => Exchange { update: &status, ..exchange }.run(warnings),
                }
            }
            Served::CoreEvents | Served::Events => {
                let version = if own.served == Served::CoreEvents { EventVersion::Core } else { EventVersion::Events };
                self.events.expire();
                let (events, namespaces, registry) = (&self.events, &self.namespaces, &self.registry);
                let resource = EventResource { events, namespaces, registry, version };
                Exchange { engine, resource: &resource, form: &resource, update: &resource, path, call }.run(warnings)
            }
        }
    }

    fn instance(&self, path: &ResourcePath, call: Call<'_>, warnings: &mut Warnings) -> Result<Answer, Refusal> {
        if path.namespace.as_deref() == Some("") {
            // An empty namespace counts as no namespace.
            return self.instance(&ResourcePath { namespace: None, ..path.clone() }, call, warnings);
        }
        let definition = self.registry.find(&path.group, &path.resource).ok_or(Refusal::NotRouted)?;
        let version = definition.served(&path.version).ok_or(Refusal::NotRouted)?;
        if definition.names_accepted && !definition.is_served() {
            let why = "the caBundle of its conversion webhook holds no valid certificate";
            return Err(Failure::internal(format!("{} is not established: {why}", definition.name)).into());
        }
        if !definition.is_served() || !scope_matches(definition.namespaced, path, call.method) {
            return Err(Refusal::NotRouted);
        }
        if let Some(text) = &version.deprecation {
            warnings.add(text.as_str());
        }
        if let Some(views) = &definition.views {
            views.start();
        }
        let resource = InstanceResource {
            registry: &self.registry,
            namespaces: &self.namespaces,
            definition: &definition,
            version,
            ignore_rules: self.ignore_rules,
            deadline: definition.converter.uses_webhook().then(|| deadline(call.query)),
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
                    semantics: &self.registry.engine.semantics,
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

/// Whether a path has a namespace exactly if the resource is namespaced; lists and watches may span all namespaces
/// (REST-002).
fn scope_matches(namespaced: bool, path: &ResourcePath, method: &Method) -> bool {
    let spans_namespaces = match path.verb {
        Some(verb) => verb == PathVerb::Watch,
        None => path.name.is_none() && matches!(*method, Method::GET | Method::HEAD),
    };
    namespaced == path.namespace.is_some() || (namespaced && spans_namespaces)
}

fn read_only(call: Call<'_>) -> Result<(), Failure> {
    if *call.method == Method::GET { Ok(()) } else { Err(not_allowed_here()) }
}

/// Upstream's answer to a path with a verb and nothing after it.
fn no_resource(uri: &Uri) -> Answer {
    let uri = uri.path_and_query().map_or("/", |uri| uri.as_str());
    let uri = uri.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let why = format!("failed to create RequestInfo: unable to determine kind and namespace from url, {uri}");
    Answer::text(500, format!("Internal Server Error: \"{uri}\": {why}\n"))
}

/// 404 for a resource that does not exist.
fn unknown_resource() -> Failure {
    Failure { message: "the server could not find the requested resource".into(), ..Failure::not_found("", "", "") }
}
