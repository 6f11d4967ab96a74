//! Connections to targets: addresses, credentials, kubeconfigs, proxies, launched servers, preflight, clean-up.

#![allow(clippy::unwrap_used)]

mod addresses;
pub(crate) mod authority;
mod clean;
mod ends;
mod kubeconfig;
mod launch;
mod mock;
mod preflight;
mod probe;
mod proxies;
mod proxy;
mod request_lines;
mod server;
mod tls;
mod transport;
