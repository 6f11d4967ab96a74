//! The promises of an API of Kubernetes custom resources, as pure functions on JSON.
//!
//! No I/O, no clock, no randomness, no panic on any JSON; recursion is bounded by [`MAX_DEPTH`]. All errors are
//! returned as data, not only the first one.
//!
//! Each area is a table of functions ([`Pruning`], [`Defaulting`], …), and [`Semantics`] has all tables. The functions
//! call each other through the [`Semantics`] that they get. So semantics with one wrong function are those of a server
//! with one fault ([`with`]).
//!
//! Requirement IDs (`PRUNE-004`) name items of the specification in the folder `spec` of the project.

pub mod cause;
pub mod coerce;
pub mod default;
pub mod definition;
pub mod go_json;
pub mod go_text;
pub mod json;
pub mod managed_fields;
pub mod message;
pub mod nulls;
pub mod path;
pub mod pointer;
pub mod prune;
pub mod ratchet;
pub mod release;
pub mod review;
pub mod rules;
pub mod scale;
pub mod schema;
pub mod structural;
pub mod validate;
pub mod versions;
pub mod violation;

mod functions;

pub use cause::{Cause, RowCause};
pub use coerce::{DecodeError, WrongType};
pub use crdible_text::{Format, Pattern, PatternError, name};
pub use functions::{
    Coercion, Decoded, Defaulting, DefinitionRules, Expressions, ManagedFields, Pruning, Ratcheting, Reviews,
    RoundTrip, SchemaRules, Semantics, Subresources, Validation, VersionOrder, with,
};
pub use path::FieldPath;
pub use prune::Child;
pub use release::Release;
pub use rules::{RuleFindings, Rules};
pub use schema::{Schema, SchemaError};
pub use structural::SchemaContext;
pub use violation::{Reason, Violation};

/// The maximum nesting of schemas. [`Schema::parse`] rejects deeper ones. All recursion follows schemas, so this bounds
/// it, and a stack of 2 MiB is enough for everything. Upstream's only bound is that of JSON, which may nest 10,000
/// levels deep (REST-007, CRDVAL-039). Values may be deeper than this; drop them with [`json::dismantle`].
pub const MAX_DEPTH: usize = 300;
