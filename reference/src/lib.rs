//! An embedded API server for `CustomResourceDefinitions` and their objects.
//!
//! [`Server::handle`] answers a request in process, and [`Server::open`] also one for a watch; [`serve`] puts a server on a socket, and an
//! [`Endpoint`] does so with TLS, for clients that it knows, and tells of requests; [`Server::load`] creates what [`Manifests`] hold. What objects become on their way in and
//! out is decided by an implementation of [`crdible_semantics::Semantics`]; where they are kept, and what follows from a
//! write of a definition, stands behind two seams of its own ([`Store`], [`Controllers`]).
//!
//! Not served yet, and refused with a `Status` that says so: server-side apply, conversion webhooks, CEL rules, and protobuf in
//! other places than bodies of namespaces and events.
#![doc = "Requirement IDs (`REST-013`) name items of the specification in the folder `spec` of the project."]

mod access;
mod answer;
mod built_in;
mod clock;
mod controllers;
mod deep;
mod definitions;
mod discovery;
mod endpoint;
mod engine;
mod etag;
mod events;
mod go_text;
mod go_time;
mod health;
mod identity;
mod instances;
mod json;
mod jsonpath;
mod kubeconfig;
mod managed_fields;
mod manifests;
mod metadata;
mod namespaces;
mod openapi;
mod options;
mod patch;
mod protobuf;
mod representation;
mod request;
mod request_log;
mod selectors;
mod serve;
mod server;
mod shape;
mod status;
mod storage;
mod subresources;
mod table;
mod tls;
mod version;
mod watch;
mod websocket;
mod yaml;

pub use access::Authentication;
pub use answer::Content;
pub use clock::{Clock, SystemClock};
pub use controllers::{Controllers, NameDecision, Names, StandardControllers, TakenNames};
pub use endpoint::{Endpoint, Listening, Running};
pub use kubeconfig::Kubeconfig;
pub use manifests::{Loaded, Manifests, Problem, Problems};
pub use options::Options;
pub use request_log::{Answered, Told};
pub use serve::serve;
pub use server::Server;
pub use storage::{
    Change, Changes, Collection, Compacted, Document, ListQuery, MemoryStore, Occupied, Page, Reading, Stale, Store,
    Stored,
};
pub use tls::{Authority, TlsError};
pub use watch::Watch;
