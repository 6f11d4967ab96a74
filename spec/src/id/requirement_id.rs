//! The ID of a requirement.

use std::fmt;
use std::str::FromStr;

use super::{IdError, Prefix, serde_as_text};

/// The ID of a requirement, written `PRUNE-004`. Ordered by chapter, prefix, number.
///
/// A well-formed ID need not exist: look it up with [`Catalogue::get`](crate::Catalogue::get).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequirementId {
    prefix: Prefix,
    number: u16,
}

impl RequirementId {
    /// Returns the ID, or `None` if the number is not 1 to 999.
    pub fn new(prefix: Prefix, number: u16) -> Option<Self> {
        (1..=999).contains(&number).then_some(Self { prefix, number })
    }

    /// The prefix: `PRUNE` of `PRUNE-004`.
    pub fn prefix(self) -> Prefix {
        self.prefix
    }

    /// The number, 1 to 999: 4 of `PRUNE-004`.
    pub fn number(self) -> u16 {
        self.number
    }
}

impl fmt::Display for RequirementId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}-{:03}", self.prefix, self.number))
    }
}

impl FromStr for RequirementId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let (prefix, number) = text.split_once('-').ok_or_else(|| IdError::Shape { text: text.to_owned() })?;
        let prefix = prefix.parse()?;
        three_digits(number)
            .and_then(|number| Self::new(prefix, number))
            .ok_or_else(|| IdError::Number { text: text.to_owned() })
    }
}

serde_as_text!(RequirementId);

/// Parses exactly three ASCII digits.
pub(crate) fn three_digits(text: &str) -> Option<u16> {
    (text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}
