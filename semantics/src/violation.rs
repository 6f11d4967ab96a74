//! Violations of requirements.

use std::{collections::HashSet, fmt};

use crate::path::NO_FIELD;

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

    /// What a message about this reason begins with.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::Invalid | Self::TypeInvalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Forbidden => "Forbidden",
            Self::Duplicate => "Duplicate value",
            Self::TooLong => "Too long",
            Self::TooMany => "Too many",
            Self::InternalError => "Internal error",
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
    /// What the message says after the title of the reason: the value, if the reason is about one, and what is wrong
    /// with it. Empty if the title says all. Not normative (VALUE-043).
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

    /// The message of the cause, in the words of kube-apiserver: `Invalid value: 0: must be greater`.
    pub fn message(&self) -> String {
        let title = self.reason.title();
        if self.detail.is_empty() { title.to_owned() } else { format!("{title}: {}", self.detail) }
    }

    /// The field that it is about, also where the cause names none: only the words of such a cause name the field.
    pub fn place(&self) -> &str {
        if self.field != NO_FIELD {
            return &self.field;
        }
        let words = self.detail.strip_prefix("\"\": ").unwrap_or(&self.detail);
        let named = match words.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\" ").map(|(field, _)| field),
            None => words.rsplit_once(" in ").map(|(_, field)| field),
        };
        named.unwrap_or(&self.field)
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{NO_FIELD, Reason, Violation};

    #[rstest]
    #[case("spec.a", "", "spec.a")]
    #[case(NO_FIELD, "\"\": \"spec.a\" must validate at least one schema (anyOf)", "spec.a")]
    #[case(NO_FIELD, "\"\": Checked value must be of type integer with format int32 in spec.b", "spec.b")]
    #[case(NO_FIELD, "0: should be less", NO_FIELD)]
    fn the_words_of_a_cause_without_a_field_name_it(#[case] field: &str, #[case] detail: &str, #[case] place: &str) {
        assert_eq!(Violation::new(field, Reason::Invalid, "VALUE-027", detail).place(), place);
    }

    #[rstest]
    #[case(Reason::Required, "", "Required value")]
    #[case(Reason::TypeInvalid, "1: no", "Invalid value: 1: no")]
    fn a_message_is_a_title_and_a_detail(#[case] reason: Reason, #[case] detail: &str, #[case] message: &str) {
        assert_eq!(Violation::new("a", reason, "VALUE-001", detail).message(), message);
    }
}
