//! The webhooks that crdible serves to its target, all behind one listener, or called directly by the embedded server.
//! So far they are conversion webhooks: one for each definition that has one.
//!
//! A hook is known by a number. What it answers can change at any time; what it was sent is kept until it is taken.

mod authority;
mod bridge;
mod host;
mod listener;
mod options;
mod registry;
mod response;

pub use bridge::Bridge;
pub use host::Host;
pub use listener::{Listener, ListenerError};
pub use options::{ServiceReference, WebhookOptions};
pub use registry::{HookId, Received, Registry};

pub(crate) use authority::Authority;
