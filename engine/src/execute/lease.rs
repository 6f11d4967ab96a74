//! A definition of a scenario during one execution.

use super::slot::{Readiness, Slot};

/// A definition of the scenario during one execution.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) slot: Slot,
    /// How far to wait for its schemas.
    pub(super) readiness: Readiness,
    pub(super) afterwards: Afterwards,
}

/// What happens to a definition after the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Afterwards {
    /// It goes back to the pool.
    Return,
    /// It is removed.
    Remove,
    /// It was never installed.
    Nothing,
}
