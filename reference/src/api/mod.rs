//! The API: which path leads where, and the documents that describe it.

pub(crate) mod deep_requests;
pub(crate) mod discovery;
pub(crate) mod etag;
pub(crate) mod health;
pub(crate) mod manifests;
pub(crate) mod openapi;
pub(crate) mod options;
pub(crate) mod server;
pub(crate) mod version;
