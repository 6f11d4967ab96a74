//! `metadata`: reading and writing its fields, and its rules (VALUE-040, VALUE-041, REST-030, REST-031).

pub(crate) mod fields;
pub(crate) mod names;
mod owners;
mod validate;

pub(crate) use owners::{Found, collapse_owners};
pub(crate) use validate::{created, updated, updated_by_type};
