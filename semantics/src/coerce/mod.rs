//! Coercion of metadata to the types `TypeMeta` and `ObjectMeta`: other values are rejected in requests (PRUNE-016,
//! PRUNE-017) and dropped from stored objects (PRUNE-019).

mod embedded;
mod object_meta;
mod root;
pub(crate) mod time;

pub(crate) use embedded::node;
pub(crate) use object_meta::object_meta;
pub(crate) use root::{refuse, repair};

use std::fmt::Display;

use crate::{FieldPath, Reason, Violation, message};

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
#[error("{detail}")]
pub struct DecodeError {
    /// The invalid field (`metadata.labels.a`). Empty for the body itself.
    pub field: String,
    /// The reason, human-readable: that of a decoder, or a cause with its field.
    pub detail: String,
}

impl DecodeError {
    /// What is wrong with a value, given as a cause shows it, in an embedded object.
    fn embedded(path: &FieldPath<'_>, shown: &str, fault: impl Display) -> Self {
        let field = path.to_string();
        Self { detail: format!("{field}: {}: {}", Reason::Invalid.title(), message::about(shown, fault)), field }
    }

    /// The same as a cause, where a wrong type is one: in a default, or inside of another object.
    pub fn into_violation(self, requirement: &'static str) -> Violation {
        let prefix = format!("{}: {}: ", self.field, Reason::Invalid.title());
        let detail = self.detail.strip_prefix(&prefix).unwrap_or(&self.detail).to_owned();
        Violation { field: self.field, reason: Reason::Invalid, requirement, detail }
    }

    /// The reason as a decoder gives it that decodes the metadata within another type.
    #[must_use]
    pub fn within(mut self, field: &str) -> String {
        const OF: &str = "Go struct field ";
        if let Some(start) = self.detail.find(OF).map(|at| at + OF.len())
            && let Some(dot) = self.detail[start..].find('.')
        {
            self.detail.insert_str(start + dot + 1, &format!("{field}."));
        }
        self.detail
    }
}
