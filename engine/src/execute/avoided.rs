//! Requests that a target does not get.

/// Requests that a target does not get, since it does not support them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Avoided {
    /// Dry runs of definitions, which it ignores, or answers otherwise than real requests. These replace them where they
    /// can.
    pub(crate) dry_runs_of_definitions: bool,
    /// Dry runs of objects, likewise.
    pub(crate) dry_runs_of_objects: bool,
    /// How it is watched.
    pub(crate) watches: WatchedBy,
}

/// How a target is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WatchedBy {
    /// By plain GETs.
    #[default]
    Plain,
    /// Over WebSocket, where it serves no watches otherwise.
    WebSocket,
    /// Not at all, where it has none: they may never end.
    Nothing,
}

impl Avoided {
    /// What either of two targets does not support.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            dry_runs_of_definitions: self.dry_runs_of_definitions || other.dry_runs_of_definitions,
            dry_runs_of_objects: self.dry_runs_of_objects || other.dry_runs_of_objects,
            watches: self.watches.max(other.watches),
        }
    }
}
