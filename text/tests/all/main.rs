//! The strings that Kubernetes accepts, as upstream and Go decide.
#![allow(clippy::unwrap_used)]

mod formats;
mod patterns;
