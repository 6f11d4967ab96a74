//! Serving over the network: connections, TLS, authentication, the request log.

pub(crate) mod access;
pub(crate) mod endpoint;
pub(crate) mod kubeconfig;
pub(crate) mod request_log;
pub(crate) mod serve;
pub(crate) mod tls;
pub(crate) mod websocket;
