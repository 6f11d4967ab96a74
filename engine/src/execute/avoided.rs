//! Requests that a target does not get.

/// Requests that a target does not get, since it does not support them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Avoided {
    /// Dry runs of definitions, which it ignores, or answers otherwise than real requests. These replace them where they
    /// can.
    pub(crate) dry_runs_of_definitions: bool,
    /// Dry runs of objects, likewise.
    pub(crate) dry_runs_of_objects: bool,
    /// Watches, which may never end.
    pub(crate) watches: bool,
}

impl Avoided {
    /// What either of two targets does not support.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            dry_runs_of_definitions: self.dry_runs_of_definitions || other.dry_runs_of_definitions,
            dry_runs_of_objects: self.dry_runs_of_objects || other.dry_runs_of_objects,
            watches: self.watches || other.watches,
        }
    }
}
