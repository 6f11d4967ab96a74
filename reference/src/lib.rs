//! An embedded Kubernetes API server for `CustomResourceDefinitions` and their objects, for tests.
//!
//! There are three ways to use a [`Server`]:
//! - [`Server::handle`] answers a request in process, and [`Server::open`] also answers watches;
//! - [`serve()`] serves plain HTTP on a listener;
//! - [`Endpoint`] adds TLS, authentication, a request log and a [`Kubeconfig`].
//!
//! The last two need the feature `serve`, which is on by default.
//!
//! [`Server::load`] creates the objects of [`Manifests`]. The functions of [`crdible_semantics::Semantics`] decide
//! how objects are decoded, validated, stored and read. [`Options`] sets limits and replaces the storage ([`Store`]),
//! the rules that follow a write of a definition ([`Controllers`]), and the [`Clock`].
//!
//! Conversion webhooks are called over HTTPS (feature `webhooks`, on by default), or in process ([`webhooks_from_fn`]).
//!
//! Not supported yet, and rejected with a `Status` that explains it: server-side apply. Protobuf is
//! supported for definitions, namespaces, events, errors, partial metadata and discovery, as by upstream, also
//! for `OpenAPI` v2, but not for v3.
#![doc = "Requirement IDs such as `REST-013` refer to the specification in the folder `spec` of the project."]

mod api;
mod base;
mod engine;
#[cfg(feature = "serve")]
mod http;
mod kinds;
mod messages;
mod metadata;
mod resources;
mod store;
mod views;
mod webhooks;
mod wire;

#[cfg(feature = "serve")]
pub use crate::http::{
    access::Authentication,
    endpoint::{Endpoint, Listening, Running},
    kubeconfig::Kubeconfig,
    request_log::{Answered, LogEntry},
    serve::{Host, InvalidHost, Limits, serve},
    tls::{Authority, TlsError},
};
pub use api::manifests::{Loaded, Manifests, Problem, Problems};
pub use api::openapi::protobuf::decode as decode_openapi_v2;
pub use api::options::Options;
pub use api::server::Server;
pub use base::clock::{Clock, SystemClock};
pub use messages::answer::Content;
pub use messages::watch::Watch;
pub use resources::controllers::{Controllers, NameDecision, Names, StandardControllers, TakenNames};
pub use store::{
    Change, Changes, Collection, Compacted, Document, ListQuery, MemoryStore, Occupied, Page, Reading, Stale, Store,
    Stored,
};
#[cfg(feature = "webhooks")]
pub use webhooks::transport::{AnchorVerifier, HttpsWebhooks, InvalidWebhookUrl, UnannouncedEnd};
pub use webhooks::transport::{WebhookCall, WebhookError, Webhooks, from_fn as webhooks_from_fn};
pub use wire::yaml;

/// The code of the guides compiles and runs.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../docs/embedded-server.md")]
    mod embedded_server {}
    #[doc = include_str!("../../docs/rules-in-tests.md")]
    mod rules_in_tests {}
}
