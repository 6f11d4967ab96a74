//! What an API of Kubernetes custom resources promises, as pure functions on JSON.
//!
//! No I/O, no clock, no randomness, no panic on any JSON; recursion is bounded by [`MAX_DEPTH`]. All errors come as data, and
//! all of them, not the first. The functions stand behind one trait, [`Semantics`], whose provided methods call each other
//! through `self`: an implementation that overrides one of them is a server with one fault.
#![doc = "Requirement IDs (`PRUNE-004`) name items of the specification in the folder `spec` of the project."]

pub mod json;
pub mod path;
pub mod schema;
pub mod structural;
pub mod validate;
pub mod versions;
pub mod violation;

mod coerce;
mod default;
mod functions;
mod nulls;
mod prune;

pub use coerce::WrongType;
pub use functions::{DecodeError, Decoded, SchemaContext, Semantics, Upstream};
pub use path::FieldPath;
pub use prune::Child;
pub use schema::{Schema, SchemaError};
pub use violation::{Reason, Violation};

/// How many schemas may stand above each other. [`Schema::parse`] refuses more, and all recursion follows schemas, so it is
/// bounded by this: everything fits a stack of 2 MiB. Upstream knows no bound but that of JSON, which nests up to 10,000 deep
/// (REST-007, CRDVAL-039). A value may be deeper than this; see [`json::dismantle`] for how to drop it.
pub const MAX_DEPTH: usize = 160;
