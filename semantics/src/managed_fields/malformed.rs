//! What is wrong with `managedFields` that cannot be read.

use thiserror::Error;

/// A value is not valid `fieldsV1`, or not a valid entry of `managedFields`.
#[derive(Debug, Error)]
#[error("not an entry of managedFields")]
pub struct Malformed;
