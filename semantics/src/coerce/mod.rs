//! Coercion of metadata: what does not fit the types of `TypeMeta` and `ObjectMeta` is refused in requests (PRUNE-016,
//! PRUNE-017) and dropped in what was stored (PRUNE-019).

use std::fmt;

mod embedded;
mod object_meta;
mod root;
pub(crate) mod time;

pub use embedded::node;
pub use object_meta::object_meta;
pub use root::{refuse, repair};

/// What happens to a field of the wrong type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongType {
    /// The request fails: its sender can mend it.
    Refused,
    /// The field is dropped, each on its own: a read must not fail.
    Dropped,
}

/// Why a request body is refused with 400 before anything is validated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The field that cannot be read (`metadata.labels.a`); empty for the body itself.
    pub field: String,
    /// What is wrong with it, for people.
    pub detail: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = if self.field.is_empty() { "the object" } else { &self.field };
        write!(f, "{field}: {}", self.detail)
    }
}

impl std::error::Error for DecodeError {}
