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
//! Not supported yet, and rejected with a `Status` that explains it: server-side apply and CEL rules. Protobuf is
//! supported for definitions, namespaces, events, errors, partial metadata and discovery, as by upstream, but not for
//! `OpenAPI` documents.
#![doc = "Requirement IDs such as `REST-013` refer to the specification in the folder `spec` of the project."]

#[cfg(feature = "serve")]
mod access;
mod answer;
mod clock;
mod controllers;
mod conversion;
mod deep;
mod deep_requests;
mod definitions;
mod discovery;
#[cfg(feature = "serve")]
mod endpoint;
mod engine;
mod error_message;
mod etag;
mod events;
mod go_text;
mod go_time;
mod health;
mod identity;
mod instances;
mod json;
mod jsonpath;
mod kind;
mod kinds;
#[cfg(feature = "serve")]
mod kubeconfig;
mod managed_fields;
mod manifests;
mod metadata;
mod namespaces;
mod openapi;
mod options;
mod park;
mod patch;
mod protobuf;
mod representation;
mod request;
#[cfg(feature = "serve")]
mod request_log;
mod selectors;
#[cfg(feature = "serve")]
mod serve;
mod server;
mod shape;
mod status;
mod storage;
mod subresources;
mod table;
#[cfg(feature = "serve")]
mod tls;
mod version;
mod views;
mod watch;
mod webhook;
#[cfg(feature = "serve")]
mod websocket;
pub mod yaml;

#[cfg(feature = "serve")]
pub use access::Authentication;
pub use answer::Content;
pub use clock::{Clock, SystemClock};
pub use controllers::{Controllers, NameDecision, Names, StandardControllers, TakenNames};
#[cfg(feature = "serve")]
pub use endpoint::{Endpoint, Listening, Running};
#[cfg(feature = "serve")]
pub use kubeconfig::Kubeconfig;
pub use manifests::{Loaded, Manifests, Problem, Problems};
pub use options::Options;
#[cfg(feature = "serve")]
pub use request_log::{Answered, LogEntry};
#[cfg(feature = "serve")]
pub use serve::{Host, InvalidHost, Limits, serve};
pub use server::Server;
pub use storage::{
    Change, Changes, Collection, Compacted, Document, ListQuery, MemoryStore, Occupied, Page, Reading, Stale, Store,
    Stored,
};
#[cfg(feature = "serve")]
pub use tls::{Authority, TlsError};
pub use watch::Watch;
#[cfg(feature = "webhooks")]
pub use webhook::{HttpsWebhooks, InvalidWebhookUrl};
pub use webhook::{WebhookCall, WebhookError, Webhooks, from_fn as webhooks_from_fn};

/// The code of the guide compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/embedded-server.md")]
mod guide {}
