//! The name of one requirement.

use std::fmt;
use std::str::FromStr;

use super::{IdError, Prefix, serde_as_text};

/// The name of one requirement, written `PRUNE-004`. Ordered by chapter, prefix, number.
///
/// That it is well formed does not say that such a requirement exists: [`Catalogue::get`](crate::Catalogue::get) does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequirementId {
    prefix: Prefix,
    number: u16,
}

impl RequirementId {
    /// `None` unless the number is 1 to 999.
    pub fn new(prefix: Prefix, number: u16) -> Option<Self> {
        (1..=999).contains(&number).then_some(Self { prefix, number })
    }

    /// `PRUNE` of `PRUNE-004`.
    pub fn prefix(self) -> Prefix {
        self.prefix
    }

    /// 4 of `PRUNE-004`; 1 to 999.
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

/// The value of exactly three ASCII digits.
pub(crate) fn three_digits(text: &str) -> Option<u16> {
    (text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}
