//! The embedded server as its users see it: in process, and on sockets.
#![allow(clippy::unwrap_used)]

mod clock;
mod concurrency;
mod corpus;
mod definition_status;
mod definitions;
mod deletion;
mod discovery;
#[cfg(feature = "serve")]
mod endpoints;
mod events;
mod field_selectors;
mod formats;
mod hostile_definitions;
mod instances;
mod lifecycle;
mod lists;
mod loading;
mod malformed;
mod managed_fields;
mod namespaces;
mod openapi;
mod patches;
mod protobuf;
mod protobuf_answers;
mod releases;
mod rules;
#[cfg(feature = "serve")]
mod safety;
#[cfg(feature = "serve")]
mod served;
#[cfg(feature = "serve")]
mod serving;
mod settle_delay;
mod store_limits;
mod subresources;
mod support;
mod tables;
mod versions;
mod watches;
mod watching;
mod webhooks;
#[cfg(all(feature = "serve", feature = "webhooks"))]
mod webhooks_over_tls;
#[cfg(feature = "serve")]
mod websockets;
mod words;
mod yaml_reader;
