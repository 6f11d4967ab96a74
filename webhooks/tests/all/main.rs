//! Conversion webhooks as their users see them.
#![allow(clippy::unwrap_used)]

mod behaviour;
mod chain;
