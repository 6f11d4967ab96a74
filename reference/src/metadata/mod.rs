//! `metadata`: reading and writing its fields, and its validation (VALUE-040, VALUE-041, REST-030, REST-031).

pub(crate) mod fields;
mod owners;
mod validate;

pub(crate) use owners::{OwnersFrom, collapse_owners};
pub(crate) use validate::{created, once, updated, updated_by_type};

/// Finalizers that need no domain.
pub(crate) const STANDARD_FINALIZERS: [&str; 3] = ["kubernetes", "orphan", "foregroundDeletion"];
