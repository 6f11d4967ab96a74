//! What is wrong, where, and which requirement says so.

use std::fmt;

/// The reason of a cause in `Status.details.causes[]`, without the prefix `FieldValue` (spec, "Error shorthand").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Something that must be there is not.
    Required,
    /// A value that cannot stand there.
    Invalid,
    /// A value outside an enumeration.
    NotSupported,
    /// Something that must not be there is.
    Forbidden,
    /// A second value equal to an earlier one.
    Duplicate,
    /// A text above its maximal length.
    TooLong,
    /// More elements or keys than allowed.
    TooMany,
    /// A value of another JSON type.
    TypeInvalid,
    /// The server could not tell.
    InternalError,
}

impl Reason {
    /// The text on the wire: `FieldValueRequired`, …, `InternalError`.
    pub fn on_the_wire(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Invalid => "FieldValueInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Forbidden => "FieldValueForbidden",
            Self::Duplicate => "FieldValueDuplicate",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::InternalError => "InternalError",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.on_the_wire().trim_start_matches("FieldValue"))
    }
}

/// One broken rule: a cause of a 422 answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Violation {
    /// The field path as the specification writes it; `<nil>` where upstream names no field.
    pub field: String,
    /// The reason of the cause.
    pub reason: Reason,
    /// The requirement that is violated (`STRUCT-002`).
    pub requirement: &'static str,
    /// One sentence for people; not normative (VALUE-043).
    pub detail: String,
}
