//! Events: what controllers report about objects (REST-078). The core group and `events.k8s.io` serve the same events
//! in two versions; they are stored in the core version.

mod columns;
mod conversion;
mod resource;
mod retention;
mod tracked;
mod validation;

pub(crate) use resource::EventResource;
pub(crate) use retention::Events;

use crate::kinds::{BuiltIn, CORE_EVENT, EVENT};

/// A version in which events are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventVersion {
    /// `v1`.
    Core,
    /// `events.k8s.io/v1`.
    Events,
}

impl EventVersion {
    fn kind(self) -> &'static BuiltIn {
        match self {
            Self::Core => &CORE_EVENT,
            Self::Events => &EVENT,
        }
    }

    fn api_version(self) -> &'static str {
        &self.kind().names().api_version
    }
}
