//! Violations of requirements.

use std::{collections::HashSet, fmt};

/// The reason of a cause in `Status.details.causes[]`, without the prefix `FieldValue` (spec, "Error shorthand").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A required field is missing.
    Required,
    /// An invalid value.
    Invalid,
    /// A value that is not in an enumeration.
    NotSupported,
    /// A forbidden field is present.
    Forbidden,
    /// A second value that is equal to an earlier one.
    Duplicate,
    /// A string above its maximum length.
    TooLong,
    /// More elements or keys than allowed.
    TooMany,
    /// A value of the wrong JSON type.
    TypeInvalid,
    /// An internal error of the server.
    InternalError,
}

impl Reason {
    /// The reason without the prefix: `Required`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Required => "Required",
            Self::Invalid => "Invalid",
            Self::NotSupported => "NotSupported",
            Self::Forbidden => "Forbidden",
            Self::Duplicate => "Duplicate",
            Self::TooLong => "TooLong",
            Self::TooMany => "TooMany",
            Self::TypeInvalid => "TypeInvalid",
            Self::InternalError => "InternalError",
        }
    }

    /// The reason in a `Status`: `FieldValueRequired`, …, `InternalError`.
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
        f.write_str(self.name())
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.name().to_owned()
    }
}

/// A violated rule: a cause of a 422 response.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Violation {
    /// The field path in the notation of the specification. `<nil>` if upstream names no field.
    pub field: String,
    /// The reason of the cause.
    pub reason: Reason,
    /// The ID of the violated requirement (`STRUCT-002`).
    pub requirement: &'static str,
    /// One sentence, human-readable. Not normative (VALUE-043).
    pub detail: String,
}

impl Violation {
    pub(crate) fn new(
        field: impl fmt::Display,
        reason: Reason,
        requirement: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        Self { field: field.to_string(), reason, requirement, detail: detail.into() }
    }

    /// The violations without later ones that are the same cause: the same field, reason and detail. The requirement is
    /// not part of a cause.
    pub fn distinct(violations: Vec<Self>) -> Vec<Self> {
        if violations.len() < 2 {
            return violations;
        }
        let mut seen = HashSet::with_capacity(violations.len());
        let first: Vec<bool> = violations
            .iter()
            .map(|violation| seen.insert((&violation.field, violation.reason, &violation.detail)))
            .collect();
        drop(seen);
        violations.into_iter().zip(first).filter_map(|(violation, first)| first.then_some(violation)).collect()
    }
}
