//! Reaching a target and looking at it: addresses, credentials, kubeconfigs, launched servers, preflight, clean-up.

#![allow(clippy::unwrap_used)]

mod clean;
mod kubeconfig;
mod launch;
mod preflight;
mod server;
mod support;
mod tls;
mod transport;
