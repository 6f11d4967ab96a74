//! What expectations are about, as far as others must know.

use super::{Expectation, NamedCheck};

impl Expectation {
    /// Whether it expects particular causes of a rejection.
    pub(crate) fn is_about_causes(&self) -> bool {
        self.is_rejection_of_content() && !matches!(self, Self::Named { check: NamedCheck::RefusedAs { .. }, .. })
    }

    /// Whether an answer that does not meet it is useless for the steps that build on it. One with a wrong revision or
    /// field of the metadata is not, nor one that `is_accepted` with another code. One with a wrong warning could be used,
    /// too, but the next step would only be warned of in the same wrong way.
    pub(crate) fn spoils_what_follows(&self, is_accepted: bool) -> bool {
        match self {
            Self::SameRevision { .. } | Self::SameGeneration { .. } => false,
            Self::At { pointer, .. } | Self::SameAt { pointer, .. } => !pointer.starts_with("/metadata"),
            Self::Named { check: NamedCheck::AcceptedAs { .. }, .. } => !is_accepted,
            Self::Named { check, .. } => !matches!(check, NamedCheck::OtherRevision | NamedCheck::NextGeneration),
            _ => true,
        }
    }

    /// Whether it only holds if the other answer that it uses is an object.
    pub(crate) fn needs_the_other(&self) -> bool {
        matches!(
            self,
            Self::SameContent { .. } | Self::SameAt { .. } | Self::SameRevision { .. } | Self::SameGeneration { .. }
        )
    }

    /// Whether it expects that the content of a request is invalid: 422.
    pub(crate) fn is_rejection_of_content(&self) -> bool {
        match self {
            Self::Causes(causes) | Self::CausesInclude(causes) => !causes.is_empty(),
            Self::Named { check, .. } => check.is_rejection_of_content(),
            _ => false,
        }
    }

    /// Whether it expects that unknown or duplicate fields are reported.
    pub(crate) fn is_about_unknown_fields(&self) -> bool {
        match self {
            Self::StrictRefusal(_) => true,
            Self::UnknownFieldWarnings(paths) => !paths.is_empty(),
            Self::DuplicateFieldWarnings(expected) => *expected,
            Self::Named { check, .. } => check.is_about_unknown_fields(),
            _ => false,
        }
    }

    /// Whether it expects that a schema is rejected because a node has no type.
    pub(crate) fn is_about_types_of_nodes(&self) -> bool {
        let is_type = |field: &str, reason: &str| {
            let keyword = field.rsplit('.').next();
            field.starts_with("openAPIV3Schema") && keyword == Some("type") && reason == "Required"
        };
        self.expects_cause(is_type)
    }

    /// Whether it expects a cause whose field and reason are such.
    fn expects_cause(&self, is_such: impl Fn(&str, &str) -> bool) -> bool {
        match self {
            Self::Causes(causes)
            | Self::CausesInclude(causes)
            | Self::Named { check: NamedCheck::DefinitionCauses { causes }, .. } => {
                causes.iter().any(|cause| is_such(&cause.field, &cause.reason))
            }
            _ => false,
        }
    }

    /// Whether it reads the versions that a definition lists as stored, or expects that one of them stays.
    pub(crate) fn is_about_stored_versions(&self) -> bool {
        match self {
            Self::At { pointer, .. } | Self::SameAt { pointer, .. } => pointer.starts_with("/status/storedVersions"),
            _ => self.expects_cause(|field, _| field.starts_with("status.storedVersions")),
        }
    }

    /// Whether it is about the conditions of a definition.
    pub(crate) fn is_about_conditions(&self) -> bool {
        matches!(self, Self::Named { check, .. } if check.is_about_conditions())
    }
}
