//! Faults in what requests do to objects.

pub(crate) mod contended;
pub(crate) mod creates;
pub(crate) mod deletions;
pub(crate) mod dry_runs;
pub(crate) mod histories;
pub(crate) mod lists;
pub(crate) mod managers;
pub(crate) mod modes;
pub(crate) mod namespaces;
pub(crate) mod owners;
pub(crate) mod patches;
pub(crate) mod revisions;
pub(crate) mod routes;
pub(crate) mod texts;
pub(crate) mod updates;
