//! Coercion of metadata to the types `TypeMeta` and `ObjectMeta`: other values are rejected in requests (PRUNE-016,
//! PRUNE-017) and dropped from stored objects (PRUNE-019).

mod embedded;
mod object_meta;
mod root;
pub(crate) mod time;

pub(crate) use embedded::node;
pub(crate) use object_meta::object_meta;
pub(crate) use root::{refuse, repair};

use crate::path::or_whole;

/// The effect of a field of the wrong type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongType {
    /// The request is rejected, since its sender can fix it.
    Refused,
    /// Only the field is dropped, since a read must not fail.
    Dropped,
}

/// The reason why a request body is rejected with 400 before validation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", or_whole(.field, "the object"))]
pub struct DecodeError {
    /// The invalid field (`metadata.labels.a`). Empty for the body itself.
    pub field: String,
    /// The reason, human-readable.
    pub detail: String,
}
