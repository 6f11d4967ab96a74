//! What an API of Kubernetes custom resources promises, as pure functions on JSON.
//!
//! No I/O, no clock, no randomness, no panic on any JSON; recursion is bounded by [`MAX_DEPTH`]. All errors come as data, and
//! all of them, not the first. The functions are those of one trait for each area ([`Pruning`], [`Defaulting`], …), and stand
//! behind the sum of these, [`Semantics`]. They are provided methods that call each other through `self`: an implementation that
//! overrides one of them is a server with one fault ([`implement_semantics!`]). What they do stands in free functions over any
//! [`Semantics`] (`prune::object`, `default::property`, …), so that an overriding method can still fall back on the provided one
//! *with itself as `self`*, which `Upstream.prune_object(…)` would not.
//!
//! Requirement IDs (`PRUNE-004`) name items of the specification in the folder `spec` of the project.
//!
//! Not here yet: CEL rules.

pub mod coerce;
pub mod default;
pub mod definition;
pub mod format;
pub mod json;
pub mod nulls;
pub mod path;
pub mod pattern;
pub mod prune;
pub mod ratchet;
pub mod scale;
pub mod schema;
pub mod structural;
pub mod validate;
pub mod versions;
pub mod violation;

mod functions;

pub use coerce::{DecodeError, WrongType};
pub use format::Format;
pub use functions::{
    AsSemantics, Coercion, Decoded, Defaulting, DefinitionRules, Pruning, Ratcheting, RoundTrip, SchemaRules,
    Semantics, Subresources, Upstream, Validation, VersionOrder,
};
pub use path::FieldPath;
pub use pattern::{Pattern, PatternError, PatternErrorKind};
pub use prune::Child;
pub use schema::{Schema, SchemaError};
pub use structural::SchemaContext;
pub use violation::{Reason, Violation};

/// How many schemas may stand above each other. [`Schema::parse`] refuses more, and all recursion follows schemas, so it is
/// bounded by this: everything fits a stack of 2 MiB. Upstream knows no bound but that of JSON, which nests up to 10,000 deep
/// (REST-007, CRDVAL-039). A value may be deeper than this; see [`json::dismantle`] for how to drop it.
pub const MAX_DEPTH: usize = 300;
