//! How values are written: JSON, YAML and protobuf, texts and times like those of Go, and the shapes of built-in kinds.

pub(crate) mod base64;
pub(crate) mod deep;
pub(crate) mod go_time;
pub(crate) mod json;
pub(crate) mod protobuf;
pub(crate) mod shape;
pub(crate) mod summary;
pub mod yaml;
