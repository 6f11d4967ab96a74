//! What named checks are about, as far as others must know.

use serde_json::json;

use super::NamedCheck;
use crate::scenario::Expectation;

impl NamedCheck {
    /// Whether it is about the warnings of an answer.
    pub(in crate::scenario) fn is_about_warnings(&self) -> bool {
        matches!(self, Self::Warnings { .. } | Self::RuleWarnings { .. } | Self::Deprecation { .. })
    }

    /// Whether it is about the conditions of a definition.
    pub(in crate::scenario) fn is_about_conditions(&self) -> bool {
        matches!(
            self,
            Self::Condition { .. }
                | Self::ConditionFor { .. }
                | Self::Conditions
                | Self::ConditionSays { .. }
                | Self::NamesConsistent
                | Self::NamesDecided { .. }
        )
    }

    /// Whether it expects that unknown or duplicate fields are reported.
    pub(in crate::scenario) fn is_about_unknown_fields(&self) -> bool {
        match self {
            Self::DuplicateFields { .. } => true,
            // Of YAML, a key that is set again is reported in words of its own (REST-051).
            Self::Warnings { texts } => {
                texts.iter().any(|text| text.contains("unknown field ") || text.contains("already set in map"))
            }
            _ => false,
        }
    }

    /// Whether it expects that the content of a request is invalid: 422.
    pub(in crate::scenario) fn is_rejection_of_content(&self) -> bool {
        match self {
            Self::RefusedAs { status, .. } => *status == 422,
            Self::DefinitionCauses { causes } => !causes.is_empty(),
            _ => false,
        }
    }

    /// Its kind, the same for checks that differ only in generated values.
    pub(in crate::scenario) fn kind(&self) -> String {
        let name = self.name();
        match self {
            Self::Condition { r#type, status } => format!("{name} {type} {}", json!(status)),
            Self::ConditionFor { r#type, status, .. } => format!("{name} {type} {}", json!(status)),
            Self::ConditionSays { r#type, .. } | Self::MediaType { r#type } | Self::Form { r#type, .. } => {
                format!("{name} {type} null")
            }
            _ => name,
        }
    }

    /// The number of the definition that it is about, if it is about one.
    pub(in crate::scenario) fn definition_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::WebhookReviews { definition, .. }
            | Self::WebhookSent { definition, .. }
            | Self::WebhookSilent { definition } => Some(definition),
            _ => None,
        }
    }

    /// Whether its lists are not such that it would hold of every answer, or of none.
    pub(in crate::scenario) fn checks_something(&self) -> Result<(), &'static str> {
        match self {
            Self::All { of } if of.is_empty() || of.iter().any(|one| !one.looks_at().is_empty()) => {
                Err("`of` must be expectations that look at no other answer; at least one")
            }
            Self::All { of } => of.iter().try_for_each(|one| match one {
                Expectation::Named { check, .. } => check.checks_something(),
                _ => Ok(()),
            }),
            Self::States { states, .. } if states.is_empty() => Err("`states` must be at least one state"),
            _ => Ok(()),
        }
    }
}
