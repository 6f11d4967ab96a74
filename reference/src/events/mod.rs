//! Events: what recorders of controllers tell of objects (REST-078). The core group and a group of their own serve the same ones in
//! two forms; stored they have that of the core group.

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

/// The group of their own.
pub(crate) const GROUP: &str = "events.k8s.io";
/// The word in URLs.
pub(crate) const PLURAL: &str = "events";

/// A form in which events are served.
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
