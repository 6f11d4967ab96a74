//! Events: what controllers report about objects (REST-078). The core group and `events.k8s.io` serve the same events in two
//! versions; they are stored in the core version.

mod columns;
mod conversion;
mod resource;
mod retention;
mod shapes;
mod tracked;
mod validation;

pub(crate) use resource::EventResource;
pub(crate) use retention::Events;

use crate::shape::Field;

/// The group that serves only events.
pub(crate) const GROUP: &str = "events.k8s.io";
/// The plural name of events.
pub(crate) const PLURAL: &str = "events";

/// A version in which events are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// `v1`.
    Core,
    /// `events.k8s.io/v1`.
    Events,
}

impl Version {
    fn api_version(self) -> &'static str {
        match self {
            Self::Core => "v1",
            Self::Events => "events.k8s.io/v1",
        }
    }

    fn shape(self) -> &'static [Field] {
        match self {
            Self::Core => shapes::CORE,
            Self::Events => shapes::EVENTS,
        }
    }
}
