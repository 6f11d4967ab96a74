//! A reference to a requirement or to one of its edges.

use std::fmt;
use std::str::FromStr;

use super::{IdError, RequirementId, serde_as_text};

/// A requirement (`PRUNE-004`) or one of its edges (`PRUNE-004/e2`).
///
/// Ordered by requirement; the requirement itself comes before its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The requirement.
    pub requirement: RequirementId,
    /// The number of the edge, counted from 1 in the order of the text; `None` for the requirement itself.
    pub edge: Option<u16>,
}

impl Reference {
    /// Returns a reference to the edge with this number (from 1) of a requirement.
    pub fn to_edge(requirement: RequirementId, edge: u16) -> Self {
        Self { requirement, edge: Some(edge) }
    }
}

impl From<RequirementId> for Reference {
    fn from(requirement: RequirementId) -> Self {
        Self { requirement, edge: None }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.edge {
            None => self.requirement.fmt(formatter),
            Some(edge) => formatter.pad(&format!("{}/e{edge}", self.requirement)),
        }
    }
}

impl FromStr for Reference {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let Some((requirement, edge)) = text.split_once('/') else {
            return Ok(text.parse::<RequirementId>()?.into());
        };
        let requirement = requirement.parse()?;
        edge.strip_prefix('e')
            // Each number has one written form: no sign and no leading zero, so no e0 either.
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0'))
            .and_then(|digits| digits.parse().ok())
            .map(|number| Self::to_edge(requirement, number))
            .ok_or_else(|| IdError::Edge { text: text.to_owned() })
    }
}

serde_as_text!(Reference);
